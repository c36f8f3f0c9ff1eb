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
  Impls operator()(const BinaryAttrs&) const { return {&kBinaryReference, 1}; }
  Impls operator()(const ConcatAttrs&) const { return cpu_concat_impls(); }
  Impls operator()(const ConcatDimsAttrs&) const { return {&kConcatDimsReference, 1}; }
  Impls operator()(const ConvAttrs&) const { return cpu_conv_impls(); }
  Impls operator()(const GatherAttrs&) const { return {&kGatherReference, 1}; }
  Impls operator()(const GlobalAveragePoolAttrs&) const { return cpu_global_average_pool_impls(); }
  Impls operator()(const IdentityAttrs&) const { return cpu_identity_impls(); }
  Impls operator()(const MatMulAttrs&) const { return {&kMatMulReference, 1}; }
  Impls operator()(const MulAttrs&) const { return cpu_mul_impls(); }
  Impls operator()(const PadAttrs&) const { return {&kPadReference, 1}; }
  Impls operator()(const PoolAttrs&) const { return cpu_pool_impls(); }
  Impls operator()(const RearrangeAttrs&) const { return {&kRearrangeReference, 1}; }
  Impls operator()(const ReduceAttrs&) const { return {&kReduceReference, 1}; }
  Impls operator()(const ReshapeAttrs&) const { return {&kReshapeReference, 1}; }
  Impls operator()(const ResizeAttrs&) const { return {&kResizeReference, 1}; }
  Impls operator()(const SelectAttrs&) const { return {&kSelectReference, 1}; }
  Impls operator()(const SliceAttrs&) const { return cpu_slice_impls(); }
  Impls operator()(const SoftmaxAttrs&) const { return cpu_softmax_impls(); }
  Impls operator()(const TopKAttrs&) const { return {&kTopKReference, 1}; }
  Impls operator()(const UnaryAttrs&) const { return {&kUnaryReference, 1}; }
  Impls operator()(const UpsampleAttrs&) const { return cpu_upsample_impls(); }
};

}  // namespace

std::span<const NodeImplInfo> cpu_impls(const Attrs& op) { return std::visit(ImplsOf{}, op); }

}  // namespace tessera
