#include "model/onnx/evaluate/evaluate.h"

#include <algorithm>

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

struct Operator {
  std::string_view name;
  std::size_t required;  ///< inputs that must be there; more may be absent
  Evaluator* run;
};
constexpr Operator kOperators[] = {
    {"Abs", 1, evaluate_unary},
    {"Add", 2, evaluate_binary},
    {"And", 2, evaluate_compare},
    {"ArgMax", 1, evaluate_arg},
    {"ArgMin", 1, evaluate_arg},
    {"Cast", 1, evaluate_cast},
    {"Ceil", 1, evaluate_unary},
    {"Celu", 1, evaluate_unary},
    {"Clip", 1, evaluate_clip},
    {"Concat", 1, evaluate_concat},
    {"Constant", 0, evaluate_constant},
    {"ConstantOfShape", 1, evaluate_constant_of_shape},
    {"Conv", 2, evaluate_conv},
    {"Cos", 1, evaluate_unary},
    {"CumSum", 2, evaluate_cum_sum},
    {"DepthToSpace", 1, evaluate_depth_space},
    {"Div", 2, evaluate_binary},
    {"Dropout", 1, evaluate_dropout},
    {"Elu", 1, evaluate_unary},
    {"Equal", 2, evaluate_compare},
    {"Erf", 1, evaluate_unary},
    {"Exp", 1, evaluate_unary},
    {"Expand", 1, evaluate_expand},
    {"Flatten", 1, evaluate_flatten},
    {"Floor", 1, evaluate_unary},
    {"Gather", 2, evaluate_gather},
    {"GatherElements", 2, evaluate_gather_elements},
    {"GatherND", 2, evaluate_gather_nd},
    {"Gelu", 1, evaluate_unary},
    {"Gemm", 2, evaluate_gemm},
    {"Greater", 2, evaluate_compare},
    {"GreaterOrEqual", 2, evaluate_compare},
    {"HardSigmoid", 1, evaluate_unary},
    {"HardSwish", 1, evaluate_unary},
    {"Identity", 1, evaluate_identity},
    {"LeakyRelu", 1, evaluate_unary},
    {"Less", 2, evaluate_compare},
    {"LessOrEqual", 2, evaluate_compare},
    {"Log", 1, evaluate_unary},
    {"LogSoftmax", 1, evaluate_softmax},
    {"MatMul", 2, evaluate_matmul},
    {"Max", 1, evaluate_variadic},
    {"Mean", 1, evaluate_variadic},
    {"Min", 1, evaluate_variadic},
    {"Mish", 1, evaluate_unary},
    {"Mod", 2, evaluate_binary},
    {"Mul", 2, evaluate_binary},
    {"Neg", 1, evaluate_unary},
    {"NonZero", 1, evaluate_non_zero},
    {"Not", 1, evaluate_unary},
    {"Or", 2, evaluate_compare},
    {"PRelu", 2, evaluate_prelu},
    {"Pad", 1, evaluate_pad},
    {"Pow", 2, evaluate_pow},
    {"Range", 3, evaluate_range},
    {"Reciprocal", 1, evaluate_unary},
    {"ReduceL1", 1, evaluate_reduce},
    {"ReduceL2", 1, evaluate_reduce},
    {"ReduceLogSum", 1, evaluate_reduce},
    {"ReduceLogSumExp", 1, evaluate_reduce},
    {"ReduceMax", 1, evaluate_reduce},
    {"ReduceMean", 1, evaluate_reduce},
    {"ReduceMin", 1, evaluate_reduce},
    {"ReduceProd", 1, evaluate_reduce},
    {"ReduceSum", 1, evaluate_reduce},
    {"ReduceSumSquare", 1, evaluate_reduce},
    {"Relu", 1, evaluate_unary},
    {"Reshape", 1, evaluate_reshape},
    {"Round", 1, evaluate_unary},
    {"ScatterND", 3, evaluate_scatter_nd},
    {"Selu", 1, evaluate_unary},
    {"Shape", 1, evaluate_shape},
    {"Sigmoid", 1, evaluate_unary},
    {"Sign", 1, evaluate_unary},
    {"Sin", 1, evaluate_unary},
    {"Size", 1, evaluate_size},
    {"Slice", 1, evaluate_slice},
    {"Softmax", 1, evaluate_softmax},
    {"Softplus", 1, evaluate_unary},
    {"Softsign", 1, evaluate_unary},
    {"SpaceToDepth", 1, evaluate_depth_space},
    {"Split", 1, evaluate_split},
    {"Sqrt", 1, evaluate_unary},
    {"Squeeze", 1, evaluate_squeeze},
    {"Sub", 2, evaluate_binary},
    {"Sum", 1, evaluate_variadic},
    {"Tan", 1, evaluate_unary},
    {"Tanh", 1, evaluate_unary},
    {"ThresholdedRelu", 1, evaluate_unary},
    {"Tile", 1, evaluate_tile},
    {"TopK", 1, evaluate_top_k},
    {"Transpose", 1, evaluate_transpose},
    {"Unsqueeze", 1, evaluate_unsqueeze},
    {"Where", 3, evaluate_where},
    {"Xor", 2, evaluate_compare},
};
static_assert(std::ranges::is_sorted(kOperators, std::ranges::less{}, &Operator::name));

const Operator* find(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kOperators, name, std::ranges::less{}, &Operator::name);
  return found != std::end(kOperators) && found->name == name ? found : nullptr;
}

/// What the operators rely on: extents within the limits, as many numbers as they say.
Status check(const IrNode& node, const Tensor& tensor) {
  const auto count = elements(node, tensor.dims, kMaxEvaluated);
  if (!count) return count.error();
  if (*count != tensor.size()) return misfit(node, shown(tensor.dims), " with ", tensor.size(), " numbers");
  return {};
}

}  // namespace

bool can_evaluate(std::string_view op) { return find(op) != nullptr; }

Result<std::vector<Tensor>> evaluate(const IrNode& node, std::span<const Tensor* const> inputs, std::int64_t opset) {
  const Operator* found = find(node.op);
  if (found == nullptr) return not_supported(node, "cannot be evaluated");
  const Call call{node, inputs, opset};
  for (std::size_t i = 0; i < std::max(found->required, inputs.size()); ++i) {
    const Tensor* input = call.optional(i);
    if (input == nullptr && i < found->required) return misfit(node, "input ", i, " is absent");
    if (input != nullptr) TESSERA_TRY(check(node, *input));
  }
  auto outputs = found->run(call);
  if (outputs && outputs->size() < node.outputs.size()) {
    return not_supported(node, node.outputs.size(), " outputs, ", outputs->size(), " are known");
  }
  if (outputs) outputs->resize(node.outputs.size());
  return outputs;
}

}  // namespace tessera::onnx
