#pragma once
// Bars as an SVG file: one row per value, in groups, with the values written beside them.

#include <string>
#include <vector>

namespace tessera::cli {

struct Bar {
  std::string label, note;  ///< left of the bar; after the value
  double value = 0;         ///< >= 0
  bool marked = false;      ///< drawn in a warning color
};
struct BarGroup {
  std::string title;
  std::vector<Bar> bars;
};
struct BarPlot {
  std::string title, subtitle, unit;  ///< unit: of the axis, "ms"
  std::vector<BarGroup> groups;       ///< with at least one bar together
};

/// The axis is logarithmic when the largest value is more than 20 times the smallest positive one.
bool wants_log_scale(const BarPlot& plot);
/// A whole document, UTF-8; texts are escaped.
std::string bars_svg(const BarPlot& plot);

}  // namespace tessera::cli
