#include "bench/svg.h"

#include <fmt/format.h>

namespace tessera::cli {
namespace {

constexpr const char* kStyle =
    "text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:17px;font-weight:bold}"
    ".tick{text-anchor:middle;fill:#666}.axis{text-anchor:middle}.grid{stroke:#ddd}";

}  // namespace

std::string svg_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string svg_text(double x, double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style, svg_escaped(text));
}

std::string svg_document(double width, double height, const std::string& title, const std::string& subtitle,
                         const char* style, const std::string& content) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>{2}{3}</style>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             width, height, kStyle, style) +
         svg_text(16, 28, "title", title) + svg_text(16, 50, "subtitle", subtitle) + content + "</svg>\n";
}

}  // namespace tessera::cli
