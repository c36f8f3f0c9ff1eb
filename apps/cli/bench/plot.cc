#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::cli {
namespace {

constexpr double kWidth = 960, kLeft = 250, kRight = 190, kTop = 74, kRow = 22, kBar = 14, kTitleRow = 34, kBottom = 54;

std::string escaped(const std::string& text) {
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
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // XML knows few control characters
    }
  }
  return out;
}

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

std::string text_at(double x, double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style, escaped(text));
}

std::string grid(const Axis& axis, double bottom) {
  std::string out;
  for (const double tick : axis.ticks) {
    out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>\n",
                       axis.x(tick), kTop, bottom);
    out += text_at(axis.x(tick), bottom + 16, "tick", fmt::format("{:.4g}", tick));
  }
  return out;
}

std::string row(const Bar& bar, const Axis& axis, double y) {
  const double length = axis.x(bar.value) - kLeft;
  std::string out = text_at(kLeft - 8, y + kBar - 3, "label", bar.label);
  out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n", kLeft, y,
                     length, kBar, bar.marked ? "wrong" : "bar");
  return out + text_at(kLeft + length + 6, y + kBar - 3, "value",
                       fmt::format("{:.4g}{}{}", bar.value, bar.note.empty() ? "" : "  ", bar.note));
}

constexpr const char* kStyle =
    "<style>text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:17px;font-weight:bold}"
    ".label{text-anchor:end}.tick{text-anchor:middle;fill:#666}.group{font-weight:bold}.axis{text-anchor:middle}"
    ".grid{stroke:#ddd}.bar{fill:#3b76b0}.wrong{fill:#c0392b}</style>\n";

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
    rows += text_at(kLeft, y + 22, "group", group.title);
    y += kTitleRow;
    for (const Bar& bar : group.bars) {
      rows += row(bar, axis, y);
      y += kRow;
    }
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\">\n",
      kWidth, y + kBottom);
  out += kStyle;
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  out += text_at(16, 28, "title", plot.title) + text_at(16, 50, "subtitle", plot.subtitle);
  out += grid(axis, y) + rows;
  out += text_at((kLeft + kWidth - kRight) / 2, y + 38, "axis", plot.unit + (axis.log ? ", logarithmic" : ""));
  return out + "</svg>\n";
}

}  // namespace tessera::cli
