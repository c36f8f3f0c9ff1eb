#include "model/onnx/evaluate/evaluate.h"

#include <algorithm>

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

/// Kinds that the first input may have; operators check the others against it.
enum class Wants : std::uint8_t { any, numbers, reals, truths };
constexpr const char* kWants[] = {"anything", "numbers", "reals", "truth values"};

struct Operator {
  std::string_view name;
  std::size_t required;  ///< inputs that must be there; more may be absent
  Wants wants;
  Evaluator* run;
};
constexpr Operator kOperators[] = {
    {"Abs", 1, Wants::numbers, evaluate_unary},
    {"Add", 2, Wants::numbers, evaluate_binary},
    {"And", 2, Wants::truths, evaluate_compare},
    {"ArgMax", 1, Wants::numbers, evaluate_arg},
    {"ArgMin", 1, Wants::numbers, evaluate_arg},
    {"Cast", 1, Wants::any, evaluate_cast},
    {"Ceil", 1, Wants::numbers, evaluate_unary},
    {"Celu", 1, Wants::numbers, evaluate_unary},
    {"Clip", 1, Wants::numbers, evaluate_clip},
    {"Concat", 1, Wants::any, evaluate_concat},
    {"Constant", 0, Wants::any, evaluate_constant},
    {"ConstantOfShape", 1, Wants::any, evaluate_constant_of_shape},
    {"Conv", 2, Wants::reals, evaluate_conv},
    {"Cos", 1, Wants::numbers, evaluate_unary},
    {"CumSum", 2, Wants::numbers, evaluate_cum_sum},
    {"DepthToSpace", 1, Wants::any, evaluate_depth_space},
    {"Div", 2, Wants::numbers, evaluate_binary},
    {"Dropout", 1, Wants::any, evaluate_dropout},
    {"Elu", 1, Wants::numbers, evaluate_unary},
    {"Equal", 2, Wants::any, evaluate_compare},
    {"Erf", 1, Wants::numbers, evaluate_unary},
    {"Exp", 1, Wants::numbers, evaluate_unary},
    {"Expand", 1, Wants::any, evaluate_expand},
    {"Flatten", 1, Wants::any, evaluate_flatten},
    {"Floor", 1, Wants::numbers, evaluate_unary},
    {"Gather", 2, Wants::any, evaluate_gather},
    {"GatherElements", 2, Wants::any, evaluate_gather_elements},
    {"GatherND", 2, Wants::any, evaluate_gather_nd},
    {"Gelu", 1, Wants::numbers, evaluate_unary},
    {"Gemm", 2, Wants::numbers, evaluate_gemm},
    {"Greater", 2, Wants::numbers, evaluate_compare},
    {"GreaterOrEqual", 2, Wants::numbers, evaluate_compare},
    {"HardSigmoid", 1, Wants::numbers, evaluate_unary},
    {"HardSwish", 1, Wants::numbers, evaluate_unary},
    {"Identity", 1, Wants::any, evaluate_identity},
    {"LeakyRelu", 1, Wants::numbers, evaluate_unary},
    {"Less", 2, Wants::numbers, evaluate_compare},
    {"LessOrEqual", 2, Wants::numbers, evaluate_compare},
    {"Log", 1, Wants::numbers, evaluate_unary},
    {"LogSoftmax", 1, Wants::reals, evaluate_softmax},
    {"MatMul", 2, Wants::numbers, evaluate_matmul},
    {"Max", 1, Wants::numbers, evaluate_variadic},
    {"Mean", 1, Wants::numbers, evaluate_variadic},
    {"Min", 1, Wants::numbers, evaluate_variadic},
    {"Mish", 1, Wants::numbers, evaluate_unary},
    {"Mod", 2, Wants::numbers, evaluate_binary},
    {"Mul", 2, Wants::numbers, evaluate_binary},
    {"Neg", 1, Wants::numbers, evaluate_unary},
    {"NonZero", 1, Wants::any, evaluate_non_zero},
    {"Not", 1, Wants::truths, evaluate_unary},
    {"Or", 2, Wants::truths, evaluate_compare},
    {"PRelu", 2, Wants::numbers, evaluate_prelu},
    {"Pad", 1, Wants::any, evaluate_pad},
    {"Pow", 2, Wants::numbers, evaluate_pow},
    {"Range", 3, Wants::numbers, evaluate_range},
    {"Reciprocal", 1, Wants::numbers, evaluate_unary},
    {"ReduceL1", 1, Wants::numbers, evaluate_reduce},
    {"ReduceL2", 1, Wants::numbers, evaluate_reduce},
    {"ReduceLogSum", 1, Wants::numbers, evaluate_reduce},
    {"ReduceLogSumExp", 1, Wants::numbers, evaluate_reduce},
    {"ReduceMax", 1, Wants::any, evaluate_reduce},
    {"ReduceMean", 1, Wants::numbers, evaluate_reduce},
    {"ReduceMin", 1, Wants::any, evaluate_reduce},
    {"ReduceProd", 1, Wants::numbers, evaluate_reduce},
    {"ReduceSum", 1, Wants::numbers, evaluate_reduce},
    {"ReduceSumSquare", 1, Wants::numbers, evaluate_reduce},
    {"Relu", 1, Wants::numbers, evaluate_unary},
    {"Reshape", 1, Wants::any, evaluate_reshape},
    {"Round", 1, Wants::numbers, evaluate_unary},
    {"ScatterND", 3, Wants::any, evaluate_scatter_nd},
    {"Selu", 1, Wants::numbers, evaluate_unary},
    {"Shape", 1, Wants::any, evaluate_shape},
    {"Sigmoid", 1, Wants::numbers, evaluate_unary},
    {"Sign", 1, Wants::numbers, evaluate_unary},
    {"Sin", 1, Wants::numbers, evaluate_unary},
    {"Size", 1, Wants::any, evaluate_size},
    {"Slice", 1, Wants::any, evaluate_slice},
    {"Softmax", 1, Wants::reals, evaluate_softmax},
    {"Softplus", 1, Wants::numbers, evaluate_unary},
    {"Softsign", 1, Wants::numbers, evaluate_unary},
    {"SpaceToDepth", 1, Wants::any, evaluate_depth_space},
    {"Split", 1, Wants::any, evaluate_split},
    {"Sqrt", 1, Wants::numbers, evaluate_unary},
    {"Squeeze", 1, Wants::any, evaluate_squeeze},
    {"Sub", 2, Wants::numbers, evaluate_binary},
    {"Sum", 1, Wants::numbers, evaluate_variadic},
    {"Tan", 1, Wants::numbers, evaluate_unary},
    {"Tanh", 1, Wants::numbers, evaluate_unary},
    {"ThresholdedRelu", 1, Wants::numbers, evaluate_unary},
    {"Tile", 1, Wants::any, evaluate_tile},
    {"TopK", 1, Wants::numbers, evaluate_top_k},
    {"Transpose", 1, Wants::any, evaluate_transpose},
    {"Unsqueeze", 1, Wants::any, evaluate_unsqueeze},
    {"Where", 3, Wants::any, evaluate_where},
    {"Xor", 2, Wants::truths, evaluate_compare},
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

bool suits(Kind kind, Wants wants) {
  switch (wants) {
    case Wants::any:
      return true;
    case Wants::numbers:
      return kind != Kind::boolean;
    case Wants::reals:
      return kind == Kind::real;
    case Wants::truths:
      return kind == Kind::boolean;
  }
  return false;
}

/// The inputs that must be there are, each sound, the first of a kind that the operator takes.
Status check(const Operator& op, const Call& call) {
  for (std::size_t i = 0; i < std::max(op.required, call.inputs.size()); ++i) {
    const Tensor* input = call.optional(i);
    if (input == nullptr && i < op.required) return misfit(call.node, "input ", i, " is absent");
    if (input != nullptr) TESSERA_TRY(check(call.node, *input));
  }
  if (op.required == 0 || suits(call.input(0).kind, op.wants)) return {};
  return misfit(call.node, "input 0 is ", name_of(call.input(0).kind), ", want ",
                kWants[static_cast<std::size_t>(op.wants)]);
}

}  // namespace

bool can_evaluate(std::string_view op) { return find(op) != nullptr; }

Result<std::vector<Tensor>> evaluate(const IrNode& node, std::span<const Tensor* const> inputs, std::int64_t opset) {
  const Operator* found = find(node.op);
  if (found == nullptr) return not_supported(node, "cannot be evaluated");
  const Call call{node, inputs, opset};
  TESSERA_TRY(check(*found, call));
  auto outputs = found->run(call);
  if (outputs && outputs->size() < node.outputs.size()) {
    return not_supported(node, node.outputs.size(), " outputs, ", outputs->size(), " are known");
  }
  if (outputs) outputs->resize(node.outputs.size());
  return outputs;
}

}  // namespace tessera::onnx
