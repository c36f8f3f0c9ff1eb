#include "device/cpu/cpu.h"

#include <variant>

#include "device/reference/reference.h"

namespace tessera {
namespace {

// An operator without a case here does not build.
struct ImplsOf {
  using Impls = std::span<const NodeImplInfo>;
  Impls operator()(const InputAttrs&) const { return {}; }
  Impls operator()(const ConstantAttrs&) const { return {}; }
  Impls operator()(const ActivationAttrs&) const { return cpu_activation_impls(); }
  Impls operator()(const AddAttrs&) const { return cpu_add_impls(); }
  Impls operator()(const BatchNormAttrs&) const { return {&kBatchNormReference, 1}; }
  Impls operator()(const BinaryAttrs&) const { return cpu_binary_impls(); }
  Impls operator()(const ConcatAttrs&) const { return cpu_concat_impls(); }
  Impls operator()(const ConcatDimsAttrs&) const { return cpu_concat_dims_impls(); }
  Impls operator()(const ConvAttrs&) const { return cpu_conv_impls(); }
  Impls operator()(const FromBytesAttrs&) const { return cpu_from_bytes_impls(); }
  Impls operator()(const GatherAttrs&) const { return cpu_gather_impls(); }
  Impls operator()(const GlobalAveragePoolAttrs&) const { return cpu_global_average_pool_impls(); }
  Impls operator()(const IdentityAttrs&) const { return cpu_identity_impls(); }
  Impls operator()(const MatMulAttrs&) const { return cpu_matmul_impls(); }
  Impls operator()(const MulAttrs&) const { return cpu_mul_impls(); }
  Impls operator()(const PadAttrs&) const { return cpu_pad_impls(); }
  Impls operator()(const PoolAttrs&) const { return cpu_pool_impls(); }
  Impls operator()(const RearrangeAttrs&) const { return cpu_rearrange_impls(); }
  Impls operator()(const ReduceAttrs&) const { return cpu_reduce_impls(); }
  Impls operator()(const ReshapeAttrs&) const { return cpu_reshape_impls(); }
  Impls operator()(const ResizeAttrs&) const { return cpu_resize_impls(); }
  Impls operator()(const SelectAttrs&) const { return cpu_select_impls(); }
  Impls operator()(const SliceAttrs&) const { return cpu_slice_impls(); }
  Impls operator()(const SoftmaxAttrs&) const { return cpu_softmax_impls(); }
  Impls operator()(const TopKAttrs&) const { return cpu_top_k_impls(); }
  Impls operator()(const UnaryAttrs&) const { return cpu_unary_impls(); }
  Impls operator()(const UpsampleAttrs&) const { return cpu_upsample_impls(); }
};

}  // namespace

std::span<const NodeImplInfo> cpu_impls(const Attrs& op) { return std::visit(ImplsOf{}, op); }

}  // namespace tessera
