#include <limits>

#include "base/checked.h"
#include "graph/ops/ops.h"

namespace tessera {
namespace {

Status check_groups(const Node& node, const ConvAttrs& conv, std::int64_t ic) {
  if (conv.oc < 1 || conv.groups < 1) {
    return op_error(node, conv.oc, " output channels in ", conv.groups, " groups, want at least 1 of each");
  }
  if (ic % conv.groups != 0 || conv.oc % conv.groups != 0) {
    return op_error(node, conv.groups, " groups do not divide ", ic, " input and ", conv.oc, " output channels");
  }
  return {};
}

// kh and kw are at least 1 by now.
Status check_constants(const Node& node, const ConvAttrs& conv, std::int64_t ic) {
  const auto want = checked_mul(conv.oc, ic / conv.groups, conv.kh, conv.kw);
  const auto have = conv.weights ? static_cast<std::int64_t>(conv.weights->size()) : 0;
  if (!want || have != *want) {
    return op_error(node, "has ", have, " weights, want ", conv.oc, " x ", ic / conv.groups, " x ", conv.kh, " x ",
                    conv.kw, " (the input has ", ic, " channels, there are ", conv.groups, " groups)");
  }
  if (conv.bias && conv.bias->size() != static_cast<std::size_t>(conv.oc)) {
    return op_error(node, "has ", conv.bias->size(), " biases, want one for each of ", conv.oc, " output channels");
  }
  return {};
}

Status check_epilogue(const Node& node, const Epilogue& epilogue, std::span<const Extents> inputs, const Extents& out) {
  TESSERA_TRY(check_activation(node, epilogue.act));
  TESSERA_TRY(check_activation(node, epilogue.post_act));
  if (inputs.size() != (epilogue.residual ? 2u : 1u)) {
    return op_error(node, "has ", inputs.size(), " inputs, want ", epilogue.residual ? 2 : 1,
                    epilogue.residual ? " (the second is added)" : " (nothing is added)");
  }
  if (!epilogue.residual && epilogue.post_act.kind != Activation::linear) {
    return op_error(node, "has an activation after an addition, but adds nothing");
  }
  if (epilogue.residual && !(inputs[1] == out)) {
    return op_error(node, "adds ", to_string(inputs[1]), " to its output ", to_string(out), ", want the same shape");
  }
  return {};
}

}  // namespace

Result<Extents> infer_conv(const Node& node, std::span<const Extents> inputs) {
  const auto& conv = std::get<ConvAttrs>(node.attrs);
  const Extents& in = inputs[0];
  const auto h = window_positions(node, {"height", in.h, conv.kh, conv.sh, conv.dh, conv.pad.top, conv.pad.bottom});
  if (!h) return h.error();
  const auto w = window_positions(node, {"width", in.w, conv.kw, conv.sw, conv.dw, conv.pad.left, conv.pad.right});
  if (!w) return w.error();
  TESSERA_TRY(check_groups(node, conv, in.c));
  TESSERA_TRY(check_constants(node, conv, in.c));
  const Extents out{in.n, *h, *w, conv.oc};
  TESSERA_TRY(check_epilogue(node, conv.epilogue, inputs, out));
  return out;
}

std::int64_t macs_conv(const Node& node, Extents output) {
  const auto& conv = std::get<ConvAttrs>(node.attrs);
  const auto per_output = static_cast<std::int64_t>(conv.weights.count()) / conv.oc;
  // Only a graph with weights beyond any memory overflows here.
  return checked_mul(output.n, output.h, output.w, output.c, per_output)
      .value_or(std::numeric_limits<std::int64_t>::max());
}

std::int64_t parameters_conv(const Node& node) {
  const auto& conv = std::get<ConvAttrs>(node.attrs);
  return static_cast<std::int64_t>(conv.weights.count() + conv.bias.count());
}

}  // namespace tessera
