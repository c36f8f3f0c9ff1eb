#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/chooser.h"
#include "bench/headline.h"
#include "bench/kernels_run.h"
#include "bench/ladder_report.h"
#include "bench/layers.h"
#include "bench/measure.h"
#include "bench/roofline.h"
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
    "--layers measures the machine too (multiply-adds in registers; reading from L2, L3 and memory) and gives for "
    "each\n"
    "layer the least time it could take: its arithmetic at that rate, or its inputs, weights and output at the speed "
    "of\n"
    "the level that could hold them, whichever is longer. Winograd counts with the products that it makes.\n"
    "Layers that a run computes together, band by band, are timed alone and then as one.\n"
    "\n"
    "--ladder begins with plain loops on one thread and switches one thing on after the other; then each thing off "
    "alone.\n"
    "Every rung computes the same within 1e-3 of the largest output, or it is marked and the exit status is 1. Runs "
    "are\n"
    "dealt to five rounds over all rungs; a rung whose run takes more than two seconds is run once.\n"
    "\n"
    "--kernels times Mish, Mish with the shortcut's sum, the SPP maxima and upsampling into a concat at shapes of "
    "YOLOv4 at\n"
    "416, ours beside plain forms, turn by turn; results are held against the last form's, or the exit status is 1.\n"
    "\n"
    "--chooser times every kernel that can take a convolution on shapes of YOLO networks, from cold caches, and marks "
    "the\n"
    "one that the model of their cost chooses. Its JSON belongs into testdata/chooser, where a test holds the model\n"
    "against it.\n"
    "\n"
    "Examples:\n"
    "  tessera bench yolov4-tiny.cfg --weights yolov4-tiny.weights --threads 1\n"
    "  tessera bench yolov4.cfg --layers --svg roofline.svg\n"
    "  tessera bench yolov4.cfg --ladder --svg ladder.svg\n"
    "  tessera bench --kernels --threads 1\n"
    "  tessera bench yolov4.cfg --disable winograd --json";

struct BenchOptions {
  ModelOptions model;
  BenchRuns runs;
  bool ladder = false, kernels = false, chooser = false, json = false;
  std::string svg;
};

Status write_svg(const std::string& svg, const std::string& path) {
  auto file = TextOut::file(path);
  if (!file) return file.error();
  TESSERA_TRY(file->write(svg));
  return file->close();
}

int print_layers(const Measured& measured, const Subject& subject, const BenchOptions& o, Io& io) {
  const auto machine = measure_machine(subject.cpu, subject.threads);
  if (!machine) return io.failed(machine.error());
  const LayerReport report{explain_layers(subject.executable, measured.layers, *machine),
                           explain_chains(subject.executable, measured.layers, measured.chains), *machine};
  if (!o.svg.empty()) {
    const std::string title = fmt::format("{} on {}: what bounds each layer", subject.label, subject.cpu.name());
    if (auto status = write_svg(roofline_svg(report, title), o.svg); !status.has_value()) {
      return io.failed(status.error());
    }
  }
  if (!o.json) return io.print(headline_text(measured, subject) + layers_text(report));
  auto out = headline_json(measured, subject);
  add_layers(out, report);
  return io.print(out.dump(2) + "\n");
}

Status write_plot(const LadderTimes& times, const std::string& label, const CpuInfo& cpu, const std::string& path) {
  BarPlot plot = ladder_plot(times);
  plot.title = label + ": where the time goes";
  plot.subtitle = fmt::format("f32 on {}, isa {}, threads {}, noise as input", cpu.name(), to_string(cpu.best()),
                              times.alone.front().rung.options.threads);
  return write_svg(bars_svg(plot), path);
}

int run_ladder_verb(const BenchOptions& o, const Graph& graph, const PrepareOptions& prepare, Io& io) {
  auto ladder = plan_ladder(graph, prepare);
  if (!ladder) return io.failed(ladder.error());
  const auto times = run_ladder(graph, *std::move(ladder), o.runs.timed, io);
  if (!times) return io.failed(times.error());
  const CpuInfo cpu = limited_cpu(prepare);
  const std::string label = model_label(o.model);
  if (!o.svg.empty()) {
    if (auto status = write_plot(*times, label, cpu, o.svg); !status.has_value()) return io.failed(status.error());
  }
  int printed = kOk;
  if (o.json) {
    nlohmann::ordered_json out{{"model", label}, {"processor", cpu.name()}, {"isa", to_string(cpu.best())}};
    add_ladder(out, *times);
    printed = io.print(out.dump(2) + "\n");
  } else {
    printed = io.print(fmt::format("{}: f32 on {}, isa {}\n\n", label, cpu.name(), to_string(cpu.best())) +
                       ladder_text(*times));
  }
  if (printed != kOk || all_agree(*times)) return printed;
  io.error(fmt::format("rungs differ from the first by more than {:g} of the largest output", kLadderTolerance));
  return kFailed;
}

// Of no model: what apply_run_options takes from the command line is all there is.
int run_kernels_verb(const BenchOptions& o, Io& io) {
  DetectorOptions options;
  apply_run_options(o.model, options);
  const auto prepare = prepare_options(options);
  if (!prepare) return io.failed(prepare.error());
  std::vector<KernelTimes> times;
  for (const KernelCase& kernel : kernel_cases(*prepare)) {
    auto one = run_kernel_case(kernel, o.runs.warmup, o.runs.timed);
    if (!one) return io.failed(one.error());
    times.push_back(*std::move(one));
  }
  const CpuInfo cpu = limited_cpu(*prepare);
  nlohmann::ordered_json json{{"processor", cpu.name()}, {"isa", to_string(cpu.best())}, {"threads", prepare->threads}};
  add_kernels(json, times);
  const std::string text =
      fmt::format("f32 on {}, isa {}, threads {}\n", cpu.name(), to_string(cpu.best()), prepare->threads) +
      kernels_text(times);
  if (const int printed = io.print(o.json ? json.dump(2) + "\n" : text); printed != kOk) return printed;
  if (all_agree(times)) return kOk;
  io.error("forms of a kernel differ from its last by more than they may");
  return kFailed;
}

int run_chooser_verb(const BenchOptions& o, Io& io) {
  DetectorOptions options;
  apply_run_options(o.model, options);
  const auto prepare = prepare_options(options);
  if (!prepare) return io.failed(prepare.error());
  const auto table = time_contenders(*prepare, o.runs.timed);
  if (!table) return io.failed(table.error());
  return io.print(o.json ? chooser_json(*table).dump(1) + "\n" : chooser_text(*table));
}

int run(const BenchOptions& o, Io& io) {
  if (o.chooser) return run_chooser_verb(o, io);
  if (o.kernels) return run_kernels_verb(o, io);
  const auto options = detector_options(o.model, io);
  if (!options) return io.failed(options.error());
  const auto prepare = prepare_options(*options);
  if (!prepare) return io.failed(prepare.error());
  auto model = load_model(*options, true);
  if (!model) return io.failed(model.error());
  if (o.ladder) return run_ladder_verb(o, model->graph, *prepare, io);
  const auto executable = prepare_graph(std::move(model->graph), *options);
  if (!executable) return io.failed(executable.error());
  const auto measured = measure(*executable, prepare->threads, o.runs);
  if (!measured) return io.failed(measured.error());
  const Subject subject{model_label(o.model), **executable, prepare->threads, limited_cpu(*prepare)};
  if (o.runs.layers) return print_layers(*measured, subject, o, io);
  return io.print(o.json ? headline_json(*measured, subject).dump(2) + "\n" : headline_text(*measured, subject));
}

}  // namespace

Run add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  add_model_options(app, options->model, true);
  app.add_option("--runs", options->runs.timed, "Timed runs")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--warmup", options->runs.warmup, "Untimed runs before")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  auto* layers = app.add_flag("--layers", options->runs.layers,
                              "Also each layer: its time, the least this machine could take, its kernel and why");
  auto* ladder =
      app.add_flag("--ladder", options->ladder, "Each optimisation switched on in turn, then each switched off alone");
  auto* svg = app.add_option("--svg", options->svg, "With --ladder: also a plot; with --layers: a roofline");
  svg->type_name("FILE");
  app.callback([svg, ladder, layers] {
    if (*svg && !*ladder && !*layers) throw CLI::RequiresError("--svg", "--ladder or --layers");
  });
  auto* kernels = app.add_flag("--kernels", options->kernels,
                               "Of no model: fused kernels beside the plain ways to compute the same");
  auto* chooser = app.add_flag("--chooser", options->chooser,
                               "Of no model: each kernel that can take a convolution, and the one that is chosen");
  app.add_flag("--json", options->json, "JSON, with every time");
  add_run_options(app, options->model);
  for (const char* other : {"--layers", "--device", "--kernel"}) ladder->excludes(app.get_option(other));
  for (const char* other : {"--choose", "--choices", "--save-choices"}) {
    for (CLI::Option* whole : {ladder, kernels, chooser}) whole->excludes(app.get_option(other));
  }
  for (const char* other :
       {"--model", "--size", "--pixels", "--layers", "--ladder", "--device", "--kernel", "--disable", "--replace"}) {
    kernels->excludes(app.get_option(other));
    chooser->excludes(app.get_option(other));
  }
  chooser->excludes(kernels);
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
