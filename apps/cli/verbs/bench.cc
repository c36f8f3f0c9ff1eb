#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/timing.h"
#include "common/interrupt.h"
#include "common/model_options.h"
#include "common/tensors.h"
#include "device/device.h"
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
  int runs = 20, warmup = 3;
  bool layers = false, json = false;
};

struct Measured {
  std::vector<double> times_ms;
  std::vector<LayerTime> layers;
};

Result<Measured> measure(const BenchOptions& o, const std::shared_ptr<const Executable>& executable, int threads) {
  auto context = ExecutionContext::create(executable, threads);
  if (!context) return context.error();
  ThreadPool pool(threads);
  const auto fill = [&] {
    for (std::size_t i = 0; i < executable->graph().inputs.size(); ++i) fill_with_noise(context->input(i), 1 + i);
  };
  Measured out;
  for (int i = 0; i < o.warmup + o.runs && !interrupted(); ++i) {
    fill();  // a run may overwrite its input
    const auto start = std::chrono::steady_clock::now();
    context->run(pool);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    if (i >= o.warmup) out.times_ms.push_back(taken.count());
  }
  if (o.layers) out.layers = time_layers(*executable, *context, pool, o.warmup, o.runs, fill);
  if (out.times_ms.empty()) return Error{Code::cancelled, "stopped before the first timed run"};
  return out;
}

std::int64_t total_macs(const Graph& graph) {
  return std::accumulate(graph.nodes.begin(), graph.nodes.end(), std::int64_t{0},
                         [&](std::int64_t sum, const Node& node) { return sum + macs(graph, node); });
}

std::string as_text(const Measured& m, const Summary& s, const Executable& executable, const std::string& label,
                    int threads) {
  const double gflop = 2e-9 * static_cast<double>(total_macs(executable.graph()));
  const CpuInfo cpu = CpuInfo::detect();
  const Isa isa = executable.options().isa.value_or(cpu.best());
  std::string out = fmt::format(
      "{}: {} f32 on {}, isa {}, {} thread{}, {} nodes on plain loops\n"
      "median {:.3f} ms   p90 {:.3f}   min {:.3f}   spread {:.1f} %   {} runs\n"
      "{:.3f} GFLOP, {:.1f} GFLOP/s at the median; arena {:.2f} MiB, packed weights {:.2f} MiB\n",
      label, executable.options().device, cpu.name(), to_string(isa), threads, threads == 1 ? "" : "s",
      executable.fallback_nodes(), s.median, s.p90, s.min, 100 * (s.p90 - s.min) / s.median, m.times_ms.size(), gflop,
      gflop / (s.median * 1e-3), static_cast<double>(executable.memory().arena_bytes) / (1 << 20),
      static_cast<double>(executable.weight_bytes()) / (1 << 20));
  if (m.layers.empty()) return out;
  out +=
      fmt::format("\n{:<24} {:<28} {:>16} {:>10} {:>7} {:>9}\n", "node", "kernel", "output", "ms", "share", "GFLOP/s");
  double sum = 0;
  for (const LayerTime& layer : m.layers) sum += layer.median_ms;
  for (const LayerTime& layer : m.layers) {
    out += fmt::format("{:<24} {:<28} {:>16} {:>10.4f} {:>6.1f}% {:>9.1f}\n", layer.node, layer.kernel, layer.shape,
                       layer.median_ms, sum > 0 ? 100 * layer.median_ms / sum : 0,
                       layer.median_ms > 0 ? 2e-6 * static_cast<double>(layer.macs) / layer.median_ms : 0);
  }
  return out + fmt::format("sum of layers {:.3f} ms, timed one by one\n", sum);
}

std::string as_json(const Measured& m, const Summary& s, const Executable& executable, const std::string& label,
                    int threads) {
  const CpuInfo cpu = CpuInfo::detect();
  nlohmann::ordered_json out{{"model", label},
                             {"device", executable.options().device},
                             {"precision", "f32"},
                             {"processor", cpu.name()},
                             {"isa", to_string(executable.options().isa.value_or(cpu.best()))},
                             {"threads", threads},
                             {"fallback_nodes", executable.fallback_nodes()},
                             {"macs", total_macs(executable.graph())},
                             {"arena_bytes", executable.memory().arena_bytes},
                             {"weight_bytes", executable.weight_bytes()},
                             {"median_ms", s.median},
                             {"p90_ms", s.p90},
                             {"min_ms", s.min},
                             {"times_ms", m.times_ms}};
  if (!m.layers.empty()) out["layers"] = nlohmann::ordered_json::array();
  for (const LayerTime& layer : m.layers) {
    out["layers"].push_back({{"node", layer.node},
                             {"kernel", layer.kernel},
                             {"shape", layer.shape},
                             {"macs", layer.macs},
                             {"median_ms", layer.median_ms}});
  }
  return out.dump(2) + "\n";
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
  const auto measured = measure(o, *executable, prepare->threads);
  if (!measured) return io.failed(measured.error());
  const Summary summary = summarize(measured->times_ms);
  const std::string label = model_label(o.model);
  return io.print(o.json ? as_json(*measured, summary, **executable, label, prepare->threads)
                         : as_text(*measured, summary, **executable, label, prepare->threads));
}

}  // namespace

Run add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  add_model_options(app, options->model, true);
  app.add_option("--runs", options->runs, "Timed runs")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--warmup", options->warmup, "Untimed runs before")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_flag("--layers", options->layers, "Also each layer, timed one by one");
  app.add_flag("--json", options->json, "JSON, with every time");
  add_run_options(app, options->model);
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
