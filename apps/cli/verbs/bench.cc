#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/layers.h"
#include "bench/measure.h"
#include "common/model_options.h"
#include "pipeline/contract.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter =
    "Times the network alone (no photo decoding, no boxes) on noise, after untimed warm-up runs. The median is the "
    "figure;\n"
    "the spread (p90 - min) tells how quiet the machine was. GFLOP counts two operations per multiply-accumulate.\n"
    "\n"
    "Examples:\n"
    "  tessera bench yolov4-tiny.cfg --weights yolov4-tiny.weights --threads 1\n"
    "  tessera bench yolov4.cfg --layers\n"
    "  tessera bench yolov4.cfg --disable winograd --json";

struct BenchOptions {
  ModelOptions model;
  BenchRuns runs;
  bool json = false;
};

/// A finished measurement and what it was of.
struct Subject {
  std::string label;
  const Executable& executable;
  int threads;
  CpuInfo cpu;  ///< as --isa limits it
};

std::string as_text(const Measured& m, const Subject& subject) {
  const Executable& e = subject.executable;
  const Summary s = summarize(m.times_ms);
  const double gflop = 2e-9 * static_cast<double>(total_macs(e.graph()));
  return fmt::format(
      "{}: {} f32 on {}, isa {}, {} thread{}, {} nodes on plain loops\n"
      "median {:.3f} ms   p90 {:.3f}   min {:.3f}   spread {:.1f} %   {} runs\n"
      "{:.3f} GFLOP, {:.1f} GFLOP/s at the median; arena {:.2f} MiB, packed weights {:.2f} MiB\n",
      subject.label, e.options().device, subject.cpu.name(), to_string(subject.cpu.best()), subject.threads,
      subject.threads == 1 ? "" : "s", e.fallback_nodes(), s.median, s.p90, s.min, 100 * (s.p90 - s.min) / s.median,
      m.times_ms.size(), gflop, gflop / (s.median * 1e-3), static_cast<double>(e.memory().arena_bytes) / (1 << 20),
      static_cast<double>(e.weight_bytes()) / (1 << 20));
}

nlohmann::ordered_json as_json(const Measured& m, const Subject& subject) {
  const Executable& e = subject.executable;
  const Summary s = summarize(m.times_ms);
  return {{"model", subject.label},
          {"device", e.options().device},
          {"precision", "f32"},
          {"processor", subject.cpu.name()},
          {"isa", to_string(subject.cpu.best())},
          {"threads", subject.threads},
          {"fallback_nodes", e.fallback_nodes()},
          {"macs", total_macs(e.graph())},
          {"arena_bytes", e.memory().arena_bytes},
          {"weight_bytes", e.weight_bytes()},
          {"median_ms", s.median},
          {"p90_ms", s.p90},
          {"min_ms", s.min},
          {"times_ms", m.times_ms}};
}

int print_layers(const Measured& measured, const Subject& subject, bool json, Io& io) {
  const auto machine = measure_machine(subject.cpu, subject.threads);
  if (!machine) return io.failed(machine.error());
  const auto layers = explain_layers(subject.executable, measured.layers, *machine);
  if (!json) return io.print(as_text(measured, subject) + layers_text(layers, *machine));
  auto out = as_json(measured, subject);
  add_layers(out, layers, *machine);
  return io.print(out.dump(2) + "\n");
}

int run(const BenchOptions& o, Io& io) {
  const auto options = detector_options(o.model, io);
  if (!options) return io.failed(options.error());
  const auto prepare = prepare_options(*options);
  if (!prepare) return io.failed(prepare.error());
  auto model = load_model(*options, true);
  if (!model) return io.failed(model.error());
  const auto executable = Executable::prepare(std::move(model->graph), *prepare);
  if (!executable) return io.failed(executable.error());
  const auto measured = measure(*executable, prepare->threads, o.runs);
  if (!measured) return io.failed(measured.error());
  const CpuInfo cpu = CpuInfo::detect();
  const Subject subject{model_label(o.model), **executable, prepare->threads,
                        prepare->isa ? cpu.limited_to(*prepare->isa) : cpu};
  if (o.runs.layers) return print_layers(*measured, subject, o.json, io);
  return io.print(o.json ? as_json(*measured, subject).dump(2) + "\n" : as_text(*measured, subject));
}

}  // namespace

Run add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  add_model_options(app, options->model, true);
  app.add_option("--runs", options->runs.timed, "Timed runs")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--warmup", options->runs.warmup, "Untimed runs before")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_flag("--layers", options->runs.layers,
               "Also each layer: its time, the least this machine could take, its kernel and why");
  app.add_flag("--json", options->json, "JSON, with every time");
  add_run_options(app, options->model);
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
