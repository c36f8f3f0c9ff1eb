#include "device/reference/reference.h"

#include <variant>

namespace tessera {
namespace {

// An operator without a case here does not build.
struct ImplsOf {
  using Impls = std::span<const NodeImplInfo>;
  Impls operator()(const InputAttrs&) const { return {}; }
  Impls operator()(const ConstantAttrs&) const { return {}; }
  Impls operator()(const ActivationAttrs&) const { return {&kActivationReference, 1}; }
  Impls operator()(const AddAttrs&) const { return {&kAddReference, 1}; }
  Impls operator()(const BatchNormAttrs&) const { return {&kBatchNormReference, 1}; }
  Impls operator()(const BinaryAttrs&) const { return {&kBinaryReference, 1}; }
  Impls operator()(const ConcatAttrs&) const { return {&kConcatReference, 1}; }
  Impls operator()(const ConcatDimsAttrs&) const { return {&kConcatDimsReference, 1}; }
  Impls operator()(const ConvAttrs&) const { return {&kConvReference, 1}; }
  Impls operator()(const FromBytesAttrs&) const { return {&kFromBytesReference, 1}; }
  Impls operator()(const GatherAttrs&) const { return {&kGatherReference, 1}; }
  Impls operator()(const GlobalAveragePoolAttrs&) const { return {&kGlobalAveragePoolReference, 1}; }
  Impls operator()(const IdentityAttrs&) const { return {&kIdentityReference, 1}; }
  Impls operator()(const MatMulAttrs&) const { return {&kMatMulReference, 1}; }
  Impls operator()(const MulAttrs&) const { return {&kMulReference, 1}; }
  Impls operator()(const PadAttrs&) const { return {&kPadReference, 1}; }
  Impls operator()(const PoolAttrs&) const { return {&kPoolReference, 1}; }
  Impls operator()(const RearrangeAttrs&) const { return {&kRearrangeReference, 1}; }
  Impls operator()(const ReduceAttrs&) const { return {&kReduceReference, 1}; }
  Impls operator()(const ReshapeAttrs&) const { return {&kReshapeReference, 1}; }
  Impls operator()(const ResizeAttrs&) const { return {&kResizeReference, 1}; }
  Impls operator()(const SelectAttrs&) const { return {&kSelectReference, 1}; }
  Impls operator()(const SliceAttrs&) const { return {&kSliceReference, 1}; }
  Impls operator()(const SoftmaxAttrs&) const { return {&kSoftmaxReference, 1}; }
  Impls operator()(const TopKAttrs&) const { return {&kTopKReference, 1}; }
  Impls operator()(const UnaryAttrs&) const { return {&kUnaryReference, 1}; }
  Impls operator()(const UpsampleAttrs&) const { return {&kUpsampleReference, 1}; }
};

}  // namespace

std::span<const NodeImplInfo> reference_impls(const Attrs& op) { return std::visit(ImplsOf{}, op); }

}  // namespace tessera
