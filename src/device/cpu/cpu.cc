#include "device/cpu/cpu.h"

#include <variant>

#include "device/reference/reference.h"

namespace tessera {
namespace {

// An operator without a case here does not build.
struct ImplsOf {
  using Impls = std::span<const NodeImplInfo>;
  Impls operator()(const InputAttrs&) const { return {}; }
  Impls operator()(const ActivationAttrs&) const { return cpu_activation_impls(); }
  Impls operator()(const AddAttrs&) const { return cpu_add_impls(); }
  Impls operator()(const BatchNormAttrs&) const { return {&kBatchNormReference, 1}; }
  Impls operator()(const ConcatAttrs&) const { return cpu_concat_impls(); }
  Impls operator()(const ConvAttrs&) const { return cpu_conv_impls(); }
  Impls operator()(const GlobalAveragePoolAttrs&) const { return cpu_global_average_pool_impls(); }
  Impls operator()(const IdentityAttrs&) const { return cpu_identity_impls(); }
  Impls operator()(const MulAttrs&) const { return cpu_mul_impls(); }
  Impls operator()(const PoolAttrs&) const { return cpu_pool_impls(); }
  Impls operator()(const SliceAttrs&) const { return cpu_slice_impls(); }
  Impls operator()(const SoftmaxAttrs&) const { return cpu_softmax_impls(); }
  Impls operator()(const UpsampleAttrs&) const { return cpu_upsample_impls(); }
};

}  // namespace

std::span<const NodeImplInfo> cpu_impls(const Attrs& op) { return std::visit(ImplsOf{}, op); }

}  // namespace tessera
