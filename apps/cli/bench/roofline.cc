#include "bench/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bench/svg.h"

namespace tessera::cli {
namespace {

constexpr double kWidth = 960, kHeight = 560, kLeft = 70, kLegend = 250, kTop = 88, kBottom = 60;
constexpr double kEnd = kWidth - kLegend, kFloor = kHeight - kBottom;
// Told apart by people who see few colors (Okabe and Ito).
constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};

/// A logarithmic axis between round numbers: 1, 2 or 5 times powers of ten.
struct LogAxis {
  std::vector<double> ticks;
  double begin, length;  // in pixels; a negative length goes upwards

  static LogAxis around(double low, double high, double begin, double length) {
    LogAxis axis{{}, begin, length};
    for (int i = step_below(low); axis.ticks.size() < 2 || axis.ticks.back() < high; ++i)
      axis.ticks.push_back(round(i));
    return axis;
  }
  double at(double value) const {
    const double share = std::log(value / ticks.front()) / std::log(ticks.back() / ticks.front());
    return begin + length * std::clamp(share, 0.0, 1.0);
  }

 private:
  static double round(int step) {
    const int decade = step >= 0 ? step / 3 : (step - 2) / 3;
    return std::array{1, 2, 5}[static_cast<std::size_t>(step - 3 * decade)] * std::pow(10, decade);
  }
  static int step_below(double value) {
    int step = 3 * static_cast<int>(std::floor(std::log10(value))) + 3;
    while (round(step) > value) --step;
    return step;
  }
};

struct Plot {
  LogAxis x, y;                                 // operations per byte; GFLOP/s
  std::vector<const Layer*> points;             // largest first, so that none hides another
  std::map<std::string, const char*> color_of;  // by kernel
  double total_ms = 0;
};

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }
double rate(const Layer& l) { return 1e-6 * l.work.flops / l.median_ms; }
double intensity(const Layer& l) { return l.work.flops / l.work.bytes; }
bool computes(const Layer& l) { return l.work.flops > 0 && l.work.bytes > 0 && l.median_ms > 0; }

Plot make_plot(const LayerReport& report) {
  Plot plot;
  double least = 2, most = 100, slowest = report.machine.peak_gflops / 10, fastest = 1.2 * report.machine.peak_gflops;
  for (const Layer& layer : report.layers) {
    plot.total_ms += layer.median_ms;
    if (!computes(layer)) continue;
    plot.points.push_back(&layer);
    least = std::min(least, intensity(layer)), most = std::max(most, intensity(layer));
    slowest = std::min(slowest, rate(layer)), fastest = std::max(fastest, rate(layer));
  }
  std::ranges::stable_sort(plot.points, std::ranges::greater{}, [](const Layer* l) { return l->median_ms; });
  plot.x = LogAxis::around(least, most, kLeft, kEnd - kLeft);
  plot.y = LogAxis::around(slowest, fastest, kFloor, kTop - kFloor);
  std::size_t color = 0;
  for (const auto& [kernel, sums] : sums_by_kernel(report.layers)) {
    if (sums.macs > 0) plot.color_of[kernel] = kColors[std::min(color++, kColors.size() - 1)];
  }
  return plot;
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                     style);
}

std::string grid(const Plot& plot) {
  std::string out;
  for (const double tick : plot.x.ticks) {
    const double x = plot.x.at(tick);
    out += line(x, kTop, x, kFloor, "grid") + svg_text(x, kFloor + 16, "tick", fmt::format("{:g}", tick));
  }
  for (const double tick : plot.y.ticks) {
    const double y = plot.y.at(tick);
    out += line(kLeft, y, kEnd, y, "grid") + svg_text(kLeft - 8, y + 4, "left", fmt::format("{:g}", tick));
  }
  out += svg_text((kLeft + kEnd) / 2, kFloor + 40, "axis", "operations per byte of inputs, weights and output");
  return out + svg_text(16, kTop - 8, "subtitle", "GFLOP/s");
}

/// What reading at this speed allows, from where the line enters the plot to where it meets the peak.
std::string slope(const Plot& plot, const MemoryLevel& level, double peak) {
  const double begin = std::max(plot.x.ticks.front(), plot.y.ticks.front() / level.gb_per_s);
  const double end = std::min(plot.x.ticks.back(), peak / level.gb_per_s);
  if (begin >= end) return "";
  const double x = plot.x.at(begin), y = plot.y.at(begin * level.gb_per_s);
  return line(x, y, plot.x.at(end), plot.y.at(end * level.gb_per_s), "roof") +
         svg_text(x + 6, y - 8, "roofname", fmt::format("{} {:.0f} GB/s", level.name, level.gb_per_s));
}

std::string roofs(const Plot& plot, const Machine& machine) {
  const double y = plot.y.at(machine.peak_gflops);
  double fastest = 0;
  std::string out;
  for (const MemoryLevel& level : machine.levels) {
    out += slope(plot, level, machine.peak_gflops);
    fastest = std::max(fastest, level.gb_per_s);
  }
  out += line(plot.x.at(machine.peak_gflops / fastest), y, kEnd, y, "roof");
  return out + svg_text(kEnd - 130, y - 6, "roofname", fmt::format("peak {:.0f} GFLOP/s", machine.peak_gflops));
}

std::string point(const Plot& plot, const Layer& l) {
  const double share = l.median_ms / plot.total_ms;
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" class=\"layer\"><title>{}</title></circle>\n",
      plot.x.at(intensity(l)), plot.y.at(rate(l)), 3 + 60 * std::sqrt(share / 10), plot.color_of.at(l.kernel),
      svg_escaped(fmt::format("{} {}, {}: {:.4f} ms, {:.1f} % of the time, {:.0f} % of its bound ({})", l.op, l.node,
                              l.kernel, l.median_ms, 100 * share, 100 * l.bound.ms() / l.median_ms, l.bound.limit())));
}

std::string legend(const Plot& plot, const LayerReport& report) {
  std::string out;
  double y = kTop + 10;
  for (const auto& [kernel, sums] : sums_by_kernel(report.layers)) {
    if (sums.macs == 0) continue;
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\"/>\n", kEnd + 18, y - 4,
                       plot.color_of.at(kernel));
    out += svg_text(kEnd + 30, y, "value", kernel);
    out += svg_text(kEnd + 30, y + 15, "small",
                    fmt::format("{:.3g} ms, {:.0f} % of its bound", sums.ms, percent(sums.bound_ms, sums.ms)));
    y += 40;
  }
  return out;
}

}  // namespace

std::string roofline_svg(const LayerReport& report, const std::string& title) {
  const Plot plot = make_plot(report);
  std::string content = grid(plot) + roofs(plot, report.machine);
  for (const Layer* layer : plot.points) content += point(plot, *layer);
  const LayerSums sums = sum_of(report.layers);
  const std::string subtitle = fmt::format(
      "{} layers that multiply, {} that do not; {:.3g} ms one by one, {:.0f} % of the bound; isa {}, {} thread{}; "
      "area: share of the time",
      plot.points.size(), report.layers.size() - plot.points.size(), sums.ms, percent(sums.bound_ms, sums.ms),
      to_string(report.machine.isa), report.machine.threads, report.machine.threads == 1 ? "" : "s");
  return svg_document(kWidth, kHeight, title, subtitle,
                      ".left{text-anchor:end;fill:#666}.roof{stroke:#222;stroke-width:1.5}.roofname{fill:#444}"
                      ".small{font-size:11px;fill:#666}.layer{fill-opacity:.55;stroke:#fff}",
                      content + legend(plot, report));
}

}  // namespace tessera::cli
