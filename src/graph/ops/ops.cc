#include "graph/ops/ops.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "base/checked.h"

namespace tessera {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();

template <class Op, std::size_t I = 0>
constexpr std::size_t index_of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, Attrs>, Op>) {
    return I;
  } else {
    return index_of<Op, I + 1>();
  }
}

constexpr OpInfo kOps[] = {
    {"activation", index_of<ActivationAttrs>(), 1, 1, infer_activation, nullptr, nullptr},
    {"add", index_of<AddAttrs>(), 2, kAny, infer_add, nullptr, nullptr},
    {"batch_norm", index_of<BatchNormAttrs>(), 1, 1, infer_batch_norm, nullptr, parameters_batch_norm},
    {"binary", index_of<BinaryAttrs>(), 2, 2, infer_binary, nullptr, nullptr},
    {"concat", index_of<ConcatAttrs>(), 1, kAny, infer_concat, nullptr, nullptr},
    {"concat_dims", index_of<ConcatDimsAttrs>(), 1, kAny, infer_concat_dims, nullptr, nullptr},
    {"constant_tensor", index_of<ConstantAttrs>(), 0, 0, infer_constant_tensor, nullptr, parameters_constant_tensor},
    {"conv", index_of<ConvAttrs>(), 1, 2, infer_conv, macs_conv, parameters_conv},
    {"from_bytes", index_of<FromBytesAttrs>(), 1, 1, infer_from_bytes, nullptr, parameters_from_bytes},
    {"gather", index_of<GatherAttrs>(), 2, 2, infer_gather, nullptr, nullptr},
    {"global_average_pool", index_of<GlobalAveragePoolAttrs>(), 1, 1, infer_global_average_pool, nullptr, nullptr},
    {"identity", index_of<IdentityAttrs>(), 1, 1, infer_same, nullptr, nullptr},
    {"input", index_of<InputAttrs>(), 0, 0, nullptr, nullptr, nullptr},
    {"matmul", index_of<MatMulAttrs>(), 2, 2, infer_matmul, macs_matmul, nullptr},
    {"mul", index_of<MulAttrs>(), 2, 2, infer_mul, nullptr, nullptr},
    {"pad", index_of<PadAttrs>(), 1, 1, infer_pad, nullptr, nullptr},
    {"pool", index_of<PoolAttrs>(), 1, 1, infer_pool, nullptr, nullptr},
    {"rearrange", index_of<RearrangeAttrs>(), 1, 1, infer_rearrange, nullptr, nullptr},
    {"reduce", index_of<ReduceAttrs>(), 1, 1, infer_reduce, nullptr, nullptr},
    {"reshape", index_of<ReshapeAttrs>(), 1, 1, infer_reshape, nullptr, nullptr},
    {"resize", index_of<ResizeAttrs>(), 1, 1, infer_resize, nullptr, nullptr},
    {"select", index_of<SelectAttrs>(), 3, 3, infer_select, nullptr, nullptr},
    {"slice", index_of<SliceAttrs>(), 1, 1, infer_slice, nullptr, nullptr},
    {"softmax", index_of<SoftmaxAttrs>(), 1, 1, infer_same, nullptr, nullptr},
    {"top_k", index_of<TopKAttrs>(), 1, 1, infer_top_k, nullptr, nullptr},
    {"unary", index_of<UnaryAttrs>(), 1, 1, infer_unary, nullptr, nullptr},
    {"upsample", index_of<UpsampleAttrs>(), 1, 1, infer_upsample, nullptr, nullptr},
};
constexpr auto kOpName = [](const OpInfo& op) { return std::string_view(op.name); };
static_assert(std::ranges::is_sorted(kOps, std::ranges::less{}, kOpName));

// From the alternative in Attrs to its entry; an alternative without an entry does not build.
constexpr auto kByAttrs = [] {
  std::array<const OpInfo*, std::variant_size_v<Attrs>> out{};
  for (const OpInfo& op : kOps) out[op.attrs] = &op;
  return out;
}();
static_assert(std::ranges::none_of(kByAttrs, [](const OpInfo* op) { return op == nullptr; }));

}  // namespace

std::span<const OpInfo> ops() { return kOps; }

const OpInfo& op_info(const Attrs& attrs) noexcept { return *kByAttrs[attrs.index()]; }

const char* op_name(const Attrs& attrs) noexcept { return op_info(attrs).name; }

std::string to_string(const Extents& extents) {
  return text(extents.n, 'x', extents.h, 'x', extents.w, 'x', extents.c);
}

Status check_activation(const Node& node, const ActivationSpec& act) {
  const float alpha = act.alpha;
  if (alpha - alpha != 0) return op_error(node, "the slope alpha is ", alpha, ", want a finite number");
  return {};
}

Result<std::int64_t> window_positions(const Node& node, const WindowAxis& axis) {
  if (axis.kernel < 1 || axis.stride < 1 || axis.dilation < 1 || axis.pad_before < 0 || axis.pad_after < 0) {
    return op_error(node, axis.name, ": kernel ", axis.kernel, ", stride ", axis.stride, ", dilation ", axis.dilation,
                    ", padding ", axis.pad_before, "+", axis.pad_after,
                    ", want padding of at least 0 and the others at least 1");
  }
  const std::int64_t span = axis.dilation * (axis.kernel - 1) + 1;
  const std::int64_t padded = axis.extent + axis.pad_before + axis.pad_after;
  if (padded < span) {
    return op_error(node, axis.name, ": the padded input is ", padded, " long, the window is ", span,
                    "; want a larger input or more padding");
  }
  return (padded - span) / axis.stride + 1;
}

Result<Extents> infer_node(const Node& node, std::span<const Extents> inputs) {
  const OpInfo& op = op_info(node.attrs);
  const auto count = static_cast<std::int64_t>(inputs.size());
  if (count < op.min_inputs || count > op.max_inputs) {
    return op_error(node, "has ", count, " inputs, want ", op.min_inputs,
                    op.max_inputs == kAny            ? " or more"
                    : op.max_inputs == op.min_inputs ? ""
                                                     : " or " + std::to_string(op.max_inputs));
  }
  auto out = op.infer(node, inputs);
  if (!out) return out;
  for (std::int64_t extent : {out->n, out->h, out->w, out->c}) {
    if (extent < 1 || extent > kMaxExtent) {
      return Error{Code::limit_exceeded, text(op.name, " '", node.name, "': its output would be ", to_string(*out),
                                              ", want extents between 1 and ", kMaxExtent)};
    }
  }
  const auto elements = checked_mul(out->n, out->h, out->w, out->c);
  if (!elements || *elements > kMaxElements) {
    return Error{Code::limit_exceeded, text(op.name, " '", node.name, "': its output would be ", to_string(*out),
                                            ", want at most ", kMaxElements, " elements")};
  }
  return out;
}

std::int64_t macs(const Graph& graph, const Node& node) {
  const OpInfo& op = op_info(node.attrs);
  return op.macs ? op.macs(node, extents(graph.value(node.output).spec)) : 0;
}

std::int64_t parameters(const Node& node) {
  const OpInfo& op = op_info(node.attrs);
  return op.parameters ? op.parameters(node) : 0;
}

}  // namespace tessera
