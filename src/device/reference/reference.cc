#include "device/reference/reference.h"

#include <variant>

namespace tessera {
namespace {

// An operator without a case here does not build.
struct ImplsOf {
  using Impls = std::span<const NodeImplInfo>;
  Impls operator()(const InputAttrs&) const { return {}; }
  Impls operator()(const ActivationAttrs&) const { return {&kActivationReference, 1}; }
  Impls operator()(const AddAttrs&) const { return {&kAddReference, 1}; }
  Impls operator()(const BatchNormAttrs&) const { return {&kBatchNormReference, 1}; }
  Impls operator()(const ConcatAttrs&) const { return {&kConcatReference, 1}; }
  Impls operator()(const ConvAttrs&) const { return {&kConvReference, 1}; }
  Impls operator()(const GlobalAveragePoolAttrs&) const { return {&kGlobalAveragePoolReference, 1}; }
  Impls operator()(const IdentityAttrs&) const { return {&kIdentityReference, 1}; }
  Impls operator()(const MulAttrs&) const { return {&kMulReference, 1}; }
  Impls operator()(const PoolAttrs&) const { return {&kPoolReference, 1}; }
  Impls operator()(const SliceAttrs&) const { return {&kSliceReference, 1}; }
  Impls operator()(const SoftmaxAttrs&) const { return {&kSoftmaxReference, 1}; }
  Impls operator()(const UpsampleAttrs&) const { return {&kUpsampleReference, 1}; }
};

}  // namespace

std::span<const NodeImplInfo> reference_impls(const Attrs& op) { return std::visit(ImplsOf{}, op); }

}  // namespace tessera
