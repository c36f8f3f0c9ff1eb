#pragma once
// What the plots have in common as SVG.

#include <string>

namespace tessera::cli {

/// For element content and attributes; control characters, of which XML knows few, become spaces.
std::string svg_escaped(const std::string& text);
/// A text element at (x, y); `style` is its class.
std::string svg_text(double x, double y, const char* style, const std::string& text);
/// A whole document: white, with the title and subtitle above `content`. `style` adds to the classes that all have:
/// title, subtitle, tick, axis, grid.
std::string svg_document(double width, double height, const std::string& title, const std::string& subtitle,
                         const char* style, const std::string& content);

}  // namespace tessera::cli
