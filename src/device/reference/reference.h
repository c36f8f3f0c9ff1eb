#pragma once
// The oracle: one obvious loop per operator, f32 in memory, double in between, rounded once per stored value. Every
// list of every device ends with these, so that each node has an implementation and each clever kernel a slow twin.

#include <memory>
#include <span>

#include "device/node_impl.h"

namespace tessera {

std::unique_ptr<NodeImpl> make_activation_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_add_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_batch_norm_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_binary_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_concat_dims_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_concat_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_conv_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_from_bytes_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_gather_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_global_average_pool_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_identity_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_matmul_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_mul_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_pad_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_pool_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_rearrange_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_reduce_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_reshape_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_resize_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_select_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_slice_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_softmax_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_top_k_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_unary_reference(const ImplContext& context);
std::unique_ptr<NodeImpl> make_upsample_reference(const ImplContext& context);

/// `rejects` of an implementation that takes every node the verifier lets through.
inline std::optional<std::string> takes_all(const ImplContext&) { return std::nullopt; }

inline constexpr NodeImplInfo kActivationReference{"activation_reference", Isa::none, takes_all,
                                                   make_activation_reference};
inline constexpr NodeImplInfo kAddReference{"add_reference", Isa::none, takes_all, make_add_reference};
inline constexpr NodeImplInfo kBatchNormReference{"batch_norm_reference", Isa::none, takes_all,
                                                  make_batch_norm_reference};
inline constexpr NodeImplInfo kBinaryReference{"binary_reference", Isa::none, takes_all, make_binary_reference};
inline constexpr NodeImplInfo kConcatReference{"concat_reference", Isa::none, takes_all, make_concat_reference};
inline constexpr NodeImplInfo kConcatDimsReference{"concat_dims_reference", Isa::none, takes_all,
                                                   make_concat_dims_reference};
inline constexpr NodeImplInfo kConvReference{"conv_reference", Isa::none, takes_all, make_conv_reference};
inline constexpr NodeImplInfo kFromBytesReference{"from_bytes_reference", Isa::none, takes_all,
                                                  make_from_bytes_reference};
inline constexpr NodeImplInfo kGatherReference{"gather_reference", Isa::none, takes_all, make_gather_reference};
inline constexpr NodeImplInfo kGlobalAveragePoolReference{"global_average_pool_reference", Isa::none, takes_all,
                                                          make_global_average_pool_reference};
inline constexpr NodeImplInfo kIdentityReference{"identity_reference", Isa::none, takes_all, make_identity_reference};
inline constexpr NodeImplInfo kMatMulReference{"matmul_reference", Isa::none, takes_all, make_matmul_reference};
inline constexpr NodeImplInfo kMulReference{"mul_reference", Isa::none, takes_all, make_mul_reference};
inline constexpr NodeImplInfo kPadReference{"pad_reference", Isa::none, takes_all, make_pad_reference};
inline constexpr NodeImplInfo kPoolReference{"pool_reference", Isa::none, takes_all, make_pool_reference};
inline constexpr NodeImplInfo kRearrangeReference{"rearrange_reference", Isa::none, takes_all,
                                                  make_rearrange_reference};
inline constexpr NodeImplInfo kReduceReference{"reduce_reference", Isa::none, takes_all, make_reduce_reference};
inline constexpr NodeImplInfo kReshapeReference{"reshape_reference", Isa::none, takes_all, make_reshape_reference};
inline constexpr NodeImplInfo kResizeReference{"resize_reference", Isa::none, takes_all, make_resize_reference};
inline constexpr NodeImplInfo kSelectReference{"select_reference", Isa::none, takes_all, make_select_reference};
inline constexpr NodeImplInfo kSliceReference{"slice_reference", Isa::none, takes_all, make_slice_reference};
inline constexpr NodeImplInfo kSoftmaxReference{"softmax_reference", Isa::none, takes_all, make_softmax_reference};
inline constexpr NodeImplInfo kTopKReference{"top_k_reference", Isa::none, takes_all, make_top_k_reference};
inline constexpr NodeImplInfo kUnaryReference{"unary_reference", Isa::none, takes_all, make_unary_reference};
inline constexpr NodeImplInfo kUpsampleReference{"upsample_reference", Isa::none, takes_all, make_upsample_reference};

/// The reference device's list for an operator: one entry, or none for Input and constants (nothing runs).
std::span<const NodeImplInfo> reference_impls(const Attrs& op);

}  // namespace tessera
