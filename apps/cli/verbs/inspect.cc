#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "common/model_options.h"
#include "device/device.h"
#include "inspect/model_json.h"
#include "model/describe.h"
#include "pipeline/contract.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  tessera inspect yolov4.cfg                  layers as the file has them\n"
    "  tessera inspect yolov4.cfg --plan           as they will run: kernels and memory\n"
    "  tessera inspect yolov4.cfg --plan --disable reuse\n"
    "  tessera inspect --json | jq .macs           the embedded model";

struct InspectOptions {
  ModelOptions model;
  bool plan = false, json = false;
};

std::string plan_text(const Executable& executable) {
  const MemoryPlan& plan = executable.memory();
  const auto mib = [](std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  const ReuseFacts reuse = reuse_facts(plan);
  std::string out = fmt::format(
      "device {}, {}{} nodes after passes, {} on plain loops, packed weights {:.2f} MiB{}\n"
      "arena {:.2f} MiB ({} bytes), lower bound {:.2f} MiB, without reuse {:.2f} MiB; {:.2f} MiB more to run chains "
      "node by node\n"
      "{} buffers, {} placed in memory that an earlier one has left; {} values are views of a wider buffer\n\n"
      "{:<6} {:>12} {:>12} {:>6} {:>6}  {}\n",
      executable.options().device, executable.options().exact ? "exact, " : "", executable.graph().nodes.size(),
      executable.fallback_nodes(), mib(executable.weight_bytes()), mapped_text(executable), mib(plan.arena_bytes),
      plan.arena_bytes, mib(plan.lower_bound_bytes), mib(plan.no_reuse_bytes), mib(plan.aside_bytes),
      plan.buffers.size(), reuse.reusing, reuse.views, "buffer", "offset", "bytes", "first", "last", "values");
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer& b = plan.buffers[i];
    out += fmt::format("{:<6} {:>12} {:>12} {:>6} {:>6}  {}\n", i, b.offset, b.bytes, b.first, b.last,
                       values_in(executable, static_cast<std::int32_t>(i)));
  }
  out += fmt::format("\n{:<24} {:<28} {}\n", "node", "kernel", "skipped");
  for (const NodeChoice& choice : executable.choices()) {
    out += fmt::format("{:<24} {:<28} {}\n", choice.node, choice.impl, fmt::join(choice.skipped, "; "));
  }
  if (executable.chains().empty()) return out;
  out += "\nchains: nodes that are computed together, band by band\n";
  for (const Chain& chain : executable.chains())
    out += fmt::format("{}\n", fmt::join(node_names(executable, chain), ", "));
  return out;
}

int run(const InspectOptions& o, Io& io) {
  const auto options = detector_options(o.model, io);
  if (!options) return io.failed(options.error());
  auto model = load_model(*options);
  if (!model) return io.failed(model.error());
  const ModelFacts facts = describe(*model);
  if (!o.plan) return io.print(o.json ? model_json(facts).dump(2) + "\n" : to_text(facts));
  const auto executable = prepare_graph(std::move(model->graph), *options);
  if (!executable) return io.failed(executable.error());
  if (!o.json) return io.print(plan_text(**executable));
  auto json = model_json(facts);
  json["plan"] = plan_json(**executable);
  return io.print(json.dump(2) + "\n");
}

}  // namespace

Run add_inspect(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  add_model_options(app, options->model, true);
  app.add_flag("--plan", options->plan, "The plan instead: memory, buffers, the kernel of each node and why");
  app.add_flag("--json", options->json, "JSON; with --plan both");
  add_run_options(app, options->model);
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
