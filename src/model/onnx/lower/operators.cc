#include "model/onnx/lower/operators.h"

#include <algorithm>

namespace tessera::onnx {
namespace {

constexpr Operator kOperators[] = {
    {"Abs", lower_function},
    {"Add", lower_binary},
    {"And", lower_binary},
    {"ArgMax", lower_arg},
    {"ArgMin", lower_arg},
    {"AveragePool", lower_pool},
    {"BatchNormalization", lower_batch_normalization},
    {"Cast", lower_cast},
    {"Ceil", lower_function},
    {"Clip", lower_clip},
    {"Concat", lower_concat},
    {"Conv", lower_conv},
    {"ConvTranspose", lower_conv_transpose},
    {"Cos", lower_function},
    {"DepthToSpace", lower_depth_to_space},
    {"Div", lower_binary},
    {"Dropout", lower_identity},
    {"Elu", lower_function},
    {"Equal", lower_binary},
    {"Erf", lower_function},
    {"Exp", lower_function},
    {"Expand", lower_expand},
    {"Flatten", lower_reshape},
    {"Floor", lower_function},
    {"Gather", lower_gather},
    {"GatherElements", lower_gather_elements},
    {"Gelu", lower_function},
    {"Gemm", lower_gemm},
    {"GlobalAveragePool", lower_global_average_pool},
    {"GlobalMaxPool", lower_global_max_pool},
    {"Greater", lower_binary},
    {"GreaterOrEqual", lower_binary},
    {"HardSigmoid", lower_function},
    {"HardSwish", lower_function},
    {"Identity", lower_identity},
    {"LeakyRelu", lower_function},
    {"Less", lower_binary},
    {"LessOrEqual", lower_binary},
    {"Log", lower_function},
    {"LogSoftmax", lower_softmax},
    {"MatMul", lower_matmul},
    {"Max", lower_binary},
    {"MaxPool", lower_pool},
    {"Min", lower_binary},
    {"Mish", lower_function},
    {"Mod", lower_binary},
    {"Mul", lower_binary},
    {"Neg", lower_function},
    {"Not", lower_function},
    {"Or", lower_binary},
    {"PRelu", lower_binary},
    {"Pad", lower_pad},
    {"Pow", lower_binary},
    {"Reciprocal", lower_function},
    {"ReduceL2", lower_reduce},
    {"ReduceMax", lower_reduce},
    {"ReduceMean", lower_reduce},
    {"ReduceMin", lower_reduce},
    {"ReduceProd", lower_reduce},
    {"ReduceSum", lower_reduce},
    {"Relu", lower_function},
    {"Reshape", lower_reshape},
    {"Resize", lower_resize},
    {"Round", lower_function},
    {"Shape", lower_shape},
    {"Sigmoid", lower_function},
    {"Sign", lower_function},
    {"Sin", lower_function},
    {"Size", lower_shape},
    {"Slice", lower_slice},
    {"Softmax", lower_softmax},
    {"Softplus", lower_function},
    {"SpaceToDepth", lower_space_to_depth},
    {"Split", lower_split},
    {"Sqrt", lower_function},
    {"Squeeze", lower_reshape},
    {"Sub", lower_binary},
    {"Sum", lower_binary},
    {"Tanh", lower_function},
    {"Tile", lower_tile},
    {"TopK", lower_top_k},
    {"Transpose", lower_transpose},
    {"Unsqueeze", lower_reshape},
    {"Upsample", lower_resize},
    {"Where", lower_where},
    {"Xor", lower_binary},
};
static_assert(std::ranges::is_sorted(kOperators, std::ranges::less{}, &Operator::name));

}  // namespace

std::span<const Operator> operators() { return kOperators; }

const Operator* find_operator(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kOperators, name, std::ranges::less{}, &Operator::name);
  return found != std::end(kOperators) && found->name == name ? found : nullptr;
}

}  // namespace tessera::onnx
