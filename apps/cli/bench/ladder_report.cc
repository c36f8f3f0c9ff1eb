#include "bench/ladder_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/timing.h"

namespace tessera::cli {
namespace {

double median(const RungTimes& rung) { return summarize(rung.times_ms).median; }

// Climbing, each rung stands beside the one before; alone, beside everything.
constexpr const char* kHeader = "{:<24} {:>11} {:>11} {:>5} {:>9} {:>9} {:>10}  {}\n";

std::string line(const RungTimes& rung, double before, double first, bool climbing) {
  const Summary s = summarize(rung.times_ms);
  std::string what = rung.rung.what;
  if (rung.once) what += "; run once";
  if (!rung.agrees()) what += fmt::format("; DIFFERS by more than {:g}", kLadderTolerance);
  const std::string total = climbing ? fmt::format("{:.2f}x", first / s.median) : "";
  return fmt::format(fmt::runtime(kHeader), rung.rung.name, fmt::format("{:.3f}", s.median),
                     fmt::format("{:.3f}", s.min), rung.times_ms.size(),
                     fmt::format("{:.3f}x", climbing ? before / s.median : s.median / before), total,
                     fmt::format("{:.1e}", rung.difference.relative), what);
}

nlohmann::ordered_json rung_json(const RungTimes& rung) {
  const Summary s = summarize(rung.times_ms);
  const PrepareOptions& o = rung.rung.options;
  nlohmann::ordered_json out{{"name", rung.rung.name},
                             {"what", rung.rung.what},
                             {"threads", o.threads},
                             {"isa", o.isa ? nlohmann::ordered_json(to_string(*o.isa)) : nlohmann::ordered_json()},
                             {"disabled", o.disabled},
                             {"naive", !o.forced_kernels.empty()},
                             {"median_ms", s.median},
                             {"min_ms", s.min},
                             {"times_ms", rung.times_ms},
                             {"once", rung.once},
                             {"agrees", rung.agrees()}};
  // JSON has no infinity.
  const double relative = rung.difference.relative;
  out["difference"] = relative < 1e300 ? nlohmann::ordered_json(relative) : nlohmann::ordered_json("infinite");
  return out;
}

}  // namespace

std::string ladder_text(const LadderTimes& times) {
  std::string out = fmt::format(fmt::runtime(kHeader), "switched on in turn", "median ms", "min ms", "runs", "gain",
                                "total", "difference", "what");
  const double first = median(times.climb.front());
  double before = first;
  for (const RungTimes& rung : times.climb) {
    out += line(rung, before, first, true);
    before = median(rung);
  }
  out += "\n" + fmt::format(fmt::runtime(kHeader), "switched off alone", "median ms", "min ms", "runs", "slower", "",
                            "difference", "what");
  const double everything = median(times.alone.front());
  for (const RungTimes& rung : times.alone) out += line(rung, everything, first, false);
  return out;
}

void add_ladder(nlohmann::ordered_json& out, const LadderTimes& times) {
  out["tolerance"] = kLadderTolerance;
  const double first = median(times.climb.front()), everything = median(times.alone.front());
  double before = first;
  for (const RungTimes& rung : times.climb) {
    auto json = rung_json(rung);
    json["gain"] = before / median(rung);
    json["total"] = first / median(rung);
    out["climb"].push_back(std::move(json));
    before = median(rung);
  }
  for (const RungTimes& rung : times.alone) {
    auto json = rung_json(rung);
    json["slower"] = median(rung) / everything;
    out["alone"].push_back(std::move(json));
  }
}

BarPlot ladder_plot(const LadderTimes& times) {
  BarPlot plot{"", "", "median ms of one run", {{"switched on in turn", {}}, {"switched off alone", {}}}};
  double before = median(times.climb.front());
  for (const RungTimes& rung : times.climb) {
    const double ms = median(rung);
    plot.groups[0].bars.push_back({rung.rung.name,
                                   plot.groups[0].bars.empty() ? "ms" : fmt::format("ms, {:.2f}x", before / ms), ms,
                                   !rung.agrees()});
    before = ms;
  }
  const double everything = median(times.alone.front());
  for (const RungTimes& rung : times.alone) {
    const double ms = median(rung);
    plot.groups[1].bars.push_back(
        {rung.rung.name, plot.groups[1].bars.empty() ? "ms" : fmt::format("ms, {:+.1f} %", 100 * (ms / everything - 1)),
         ms, !rung.agrees()});
  }
  return plot;
}

bool all_agree(const LadderTimes& times) {
  return std::ranges::all_of(times.climb, &RungTimes::agrees) && std::ranges::all_of(times.alone, &RungTimes::agrees);
}

}  // namespace tessera::cli
