#include "bench/headline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "inspect/model_json.h"

namespace tessera::cli {

CpuInfo limited_cpu(const PrepareOptions& options) {
  const CpuInfo cpu = CpuInfo::detect();
  return options.isa ? cpu.limited_to(*options.isa) : cpu;
}

std::string headline_text(const Measured& m, const Subject& subject) {
  const Executable& e = subject.executable;
  const Summary s = summarize(m.times_ms);
  const double gflop = 2e-9 * static_cast<double>(total_macs(e.graph()));
  return fmt::format(
      "{}: {} f32{} on {}, isa {}, {} thread{}, {} nodes on plain loops\n"
      "median {:.3f} ms   p90 {:.3f}   min {:.3f}   spread {:.1f} %   {} runs\n"
      "{:.3f} GFLOP, {:.1f} GFLOP/s at the median; arena {:.2f} MiB, packed weights {:.2f} MiB{}\n",
      subject.label, e.options().device, e.options().exact ? " exact" : "", subject.cpu.name(),
      to_string(subject.cpu.best()), subject.threads, subject.threads == 1 ? "" : "s", e.fallback_nodes(), s.median,
      s.p90, s.min, 100 * (s.p90 - s.min) / s.median, m.times_ms.size(), gflop, gflop / (s.median * 1e-3),
      static_cast<double>(e.memory().arena_bytes) / (1 << 20), static_cast<double>(e.weight_bytes()) / (1 << 20),
      mapped_text(e));
}

nlohmann::ordered_json headline_json(const Measured& m, const Subject& subject) {
  const Executable& e = subject.executable;
  const Summary s = summarize(m.times_ms);
  return {{"model", subject.label},
          {"device", e.options().device},
          {"precision", "f32"},
          {"exact", e.options().exact},
          {"processor", subject.cpu.name()},
          {"isa", to_string(subject.cpu.best())},
          {"threads", subject.threads},
          {"fallback_nodes", e.fallback_nodes()},
          {"macs", total_macs(e.graph())},
          {"arena_bytes", e.memory().arena_bytes},
          {"weight_bytes", e.weight_bytes()},
          {"mapped_weight_bytes", e.mapped_weight_bytes()},
          {"median_ms", s.median},
          {"p90_ms", s.p90},
          {"min_ms", s.min},
          {"times_ms", m.times_ms}};
}

}  // namespace tessera::cli
