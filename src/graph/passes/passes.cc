#include "graph/passes/passes.h"

#include <algorithm>

#include "base/text.h"
#include "graph/passes/list.h"

namespace tessera {
namespace {

// The order matters: dead nodes count as readers and would hinder fusions; functions must be whole before they are
// fused; an addition must have its activation before it becomes a residual.
constexpr Pass kPasses[] = {
    {"remove-dead", "drop nodes that no output needs", remove_dead},
    {"drop-identities", "drop dropout, linear activations, concats of one, slices of everything", drop_identities},
    {"fold-batch-norm", "multiply batch normalization into the weights", fold_batch_norm},
    {"recognize-gelu", "x * (1 + erf(x / sqrt(2))) / 2, or its form with tanh, becomes one operator", recognize_gelu},
    {"recognize-hard-swish", "x * clamp(x + 3, 0, 6) / 6 becomes one activation", recognize_hard_swish},
    {"recognize-mish", "x * tanh(softplus(x)) becomes one activation", recognize_mish},
    {"recognize-silu", "x * logistic(x) becomes one activation", recognize_silu},
    {"fuse-activation", "apply activations before the store of conv, add and mul", fuse_activation},
    {"fuse-residual", "let a convolution add the shortcut before its store", fuse_residual},
    {"spp-cascade", "max pools 5, 9, 13 of one value from three 5-wide maxima", spp_cascade},
};

Status check_known(std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (std::ranges::any_of(kPasses, [&name](const Pass& pass) { return name == pass.name; })) continue;
    std::string known;
    for (const Pass& pass : kPasses) known += text(known.empty() ? "" : ", ", pass.name);
    return Error{Code::invalid_argument, text("pass '", name, "' does not exist; there are ", known)};
  }
  return {};
}

}  // namespace

std::span<const Pass> passes() { return kPasses; }

Status run_passes(Graph& graph, std::span<const std::string> disabled, const LogSink& log) {
  TESSERA_TRY(check_known(disabled));
  for (const Pass& pass : kPasses) {
    if (std::ranges::find(disabled, pass.name) != disabled.end()) {
      if (log) log(LogLevel::debug, text("pass ", pass.name, ": disabled"));
      continue;
    }
    const auto places = pass.run(graph);
    if (!places) return places.error();
    if (log) log(LogLevel::debug, text("pass ", pass.name, ": ", *places, " places"));
    if (auto status = verify(graph); !status.has_value()) {
      return Error{status.error().code, text("pass ", pass.name, " broke the graph: ", status.error().message)};
    }
  }
  return {};
}

}  // namespace tessera
