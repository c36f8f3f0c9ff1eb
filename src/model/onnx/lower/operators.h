#pragma once
// How each ONNX operator becomes nodes of the engine's graph, or a mere change of view.

#include <tessera/result.h>

#include <span>
#include <string_view>

#include "model/onnx/lower/lowering.h"

namespace tessera::onnx {

struct Operator {
  std::string_view name;  ///< "Conv"
  /// Defines the node's outputs. Not called when all inputs are known and evaluate() knows the operator.
  Status (*lower)(Lowering& l, const IrNode& node);
};

/// Sorted by name.
std::span<const Operator> operators();
/// nullptr when the engine has no such operator.
const Operator* find_operator(std::string_view name);

// In the files of their groups.
Status lower_conv(Lowering& l, const IrNode& node);
Status lower_conv_transpose(Lowering& l, const IrNode& node);
Status lower_batch_normalization(Lowering& l, const IrNode& node);
Status lower_pool(Lowering& l, const IrNode& node);
Status lower_global_average_pool(Lowering& l, const IrNode& node);
Status lower_global_max_pool(Lowering& l, const IrNode& node);
Status lower_function(Lowering& l, const IrNode& node);  ///< of one number: Relu, Sigmoid, Exp, ...
Status lower_clip(Lowering& l, const IrNode& node);
Status lower_cast(Lowering& l, const IrNode& node);
Status lower_binary(Lowering& l, const IrNode& node);  ///< of two or more: Add, Max, Less, PRelu, ...
Status lower_where(Lowering& l, const IrNode& node);
Status lower_identity(Lowering& l, const IrNode& node);
Status lower_reshape(Lowering& l, const IrNode& node);  ///< and Flatten, Squeeze, Unsqueeze
Status lower_transpose(Lowering& l, const IrNode& node);
Status lower_slice(Lowering& l, const IrNode& node);
Status lower_split(Lowering& l, const IrNode& node);
Status lower_expand(Lowering& l, const IrNode& node);
Status lower_tile(Lowering& l, const IrNode& node);
Status lower_depth_to_space(Lowering& l, const IrNode& node);
Status lower_space_to_depth(Lowering& l, const IrNode& node);
Status lower_shape(Lowering& l, const IrNode& node);  ///< and Size
Status lower_concat(Lowering& l, const IrNode& node);
Status lower_reduce(Lowering& l, const IrNode& node);
Status lower_arg(Lowering& l, const IrNode& node);  ///< ArgMax, ArgMin
Status lower_softmax(Lowering& l, const IrNode& node);
Status lower_top_k(Lowering& l, const IrNode& node);
Status lower_gather(Lowering& l, const IrNode& node);
Status lower_gather_elements(Lowering& l, const IrNode& node);
Status lower_matmul(Lowering& l, const IrNode& node);
Status lower_gemm(Lowering& l, const IrNode& node);
Status lower_resize(Lowering& l, const IrNode& node);  ///< and Upsample
Status lower_pad(Lowering& l, const IrNode& node);

}  // namespace tessera::onnx
