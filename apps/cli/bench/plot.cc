#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/svg.h"

namespace tessera::cli {
namespace {

constexpr double kWidth = 960, kLeft = 250, kRight = 190, kTop = 74, kRow = 22, kBar = 14, kTitleRow = 34, kBottom = 54;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;  // of the positive values
};
Range range_of(const BarPlot& plot) {
  Range range;
  for (const BarGroup& group : plot.groups) {
    for (const Bar& bar : group.bars) {
      if (bar.value > 0) range.low = std::min(range.low, bar.value);
      range.high = std::max(range.high, bar.value);
    }
  }
  return range;
}

/// From values to pixels right of the labels. Ticks are round: 1, 2, 5 times powers of ten, or powers of ten.
struct Axis {
  bool log = false;
  double low = 0, high = 1;  // at both ends; logarithms when log
  std::vector<double> ticks;

  double x(double value) const {
    const double at = log ? std::log10(std::max(value, 1e-300)) : value;
    return kLeft + (kWidth - kLeft - kRight) * std::clamp((at - low) / (high - low), 0.0, 1.0);
  }
};

Axis log_axis(const Range& range) {
  Axis axis{true, std::floor(std::log10(range.low)), std::ceil(std::log10(range.high)), {}};
  if (axis.low == std::log10(range.low)) axis.low -= 1;  // the least bar is seen, too
  for (double exponent = axis.low; exponent <= axis.high; ++exponent) axis.ticks.push_back(std::pow(10, exponent));
  return axis;
}

Axis linear_axis(const Range& range) {
  const double high = range.high > 0 ? range.high : 1;
  double step = std::pow(10, std::floor(std::log10(high)));
  if (high / step < 2) step /= 5;
  if (high / step < 5) step /= 2;
  Axis axis{false, 0, std::ceil(high / step) * step, {}};
  for (double i = 0; i * step <= axis.high * (1 + 1e-9); ++i) axis.ticks.push_back(i * step);
  return axis;
}

std::string grid(const Axis& axis, double bottom) {
  std::string out;
  for (const double tick : axis.ticks) {
    out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>\n",
                       axis.x(tick), kTop, bottom);
    out += svg_text(axis.x(tick), bottom + 16, "tick", fmt::format("{:.4g}", tick));
  }
  return out;
}

std::string row(const Bar& bar, const Axis& axis, double y) {
  const double length = axis.x(bar.value) - kLeft;
  std::string out = svg_text(kLeft - 8, y + kBar - 3, "label", bar.label);
  out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n", kLeft, y,
                     length, kBar, bar.marked ? "wrong" : "bar");
  return out + svg_text(kLeft + length + 6, y + kBar - 3, "value",
                        fmt::format("{:.4g}{}{}", bar.value, bar.note.empty() ? "" : "  ", bar.note));
}

constexpr const char* kStyle = ".label{text-anchor:end}.group{font-weight:bold}.bar{fill:#3b76b0}.wrong{fill:#c0392b}";

}  // namespace

bool wants_log_scale(const BarPlot& plot) {
  const Range range = range_of(plot);
  return range.high > 20 * range.low;
}

std::string bars_svg(const BarPlot& plot) {
  const Axis axis = wants_log_scale(plot) ? log_axis(range_of(plot)) : linear_axis(range_of(plot));
  std::string rows;
  double y = kTop;
  for (const BarGroup& group : plot.groups) {
    rows += svg_text(kLeft, y + 22, "group", group.title);
    y += kTitleRow;
    for (const Bar& bar : group.bars) {
      rows += row(bar, axis, y);
      y += kRow;
    }
  }
  const std::string axis_title = plot.unit + (axis.log ? ", logarithmic" : "");
  return svg_document(kWidth, y + kBottom, plot.title, plot.subtitle, kStyle,
                      grid(axis, y) + rows + svg_text((kLeft + kWidth - kRight) / 2, y + 38, "axis", axis_title));
}

}  // namespace tessera::cli
