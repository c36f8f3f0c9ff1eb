#pragma once
// The cpu device: for each operator the implementations in order of preference, the reference last.

#include <span>
#include <string_view>

#include "device/node_impl.h"
#include "kernels/winograd/scheme.h"

namespace tessera {

/// Empty for Input and constants: nothing runs.
std::span<const NodeImplInfo> cpu_impls(const Attrs& op);

/// The tiling of an implementation of this device, by its name; null for one that is no Winograd convolution.
const WinogradScheme* winograd_scheme(std::string_view impl);

/// One list per operator, in cpu/<op>.cc. batch_norm has only the reference: its pass folds it into convolutions.
std::span<const NodeImplInfo> cpu_activation_impls();
std::span<const NodeImplInfo> cpu_add_impls();
std::span<const NodeImplInfo> cpu_binary_impls();
std::span<const NodeImplInfo> cpu_concat_dims_impls();
std::span<const NodeImplInfo> cpu_concat_impls();
std::span<const NodeImplInfo> cpu_conv_impls();
std::span<const NodeImplInfo> cpu_from_bytes_impls();
std::span<const NodeImplInfo> cpu_gather_impls();
std::span<const NodeImplInfo> cpu_global_average_pool_impls();
std::span<const NodeImplInfo> cpu_identity_impls();
std::span<const NodeImplInfo> cpu_matmul_impls();
std::span<const NodeImplInfo> cpu_mul_impls();
std::span<const NodeImplInfo> cpu_pad_impls();
std::span<const NodeImplInfo> cpu_pool_impls();
std::span<const NodeImplInfo> cpu_rearrange_impls();
std::span<const NodeImplInfo> cpu_reduce_impls();
std::span<const NodeImplInfo> cpu_reshape_impls();
std::span<const NodeImplInfo> cpu_resize_impls();
std::span<const NodeImplInfo> cpu_select_impls();
std::span<const NodeImplInfo> cpu_slice_impls();
std::span<const NodeImplInfo> cpu_softmax_impls();
std::span<const NodeImplInfo> cpu_top_k_impls();
std::span<const NodeImplInfo> cpu_unary_impls();
std::span<const NodeImplInfo> cpu_upsample_impls();

}  // namespace tessera
