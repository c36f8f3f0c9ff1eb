#pragma once
// Every operator's rules: how many inputs, which attributes fit them, what comes out, what it costs. One operator per
// file; ops.cc lists them.

#include <span>

#include "base/text.h"
#include "graph/graph.h"

namespace tessera {

// Limits on untrusted sizes, far above real networks and low enough that products of two stay far from overflow.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 24;         // of one axis
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;       // of one value
inline constexpr std::int64_t kMaxNodes = std::int64_t{1} << 16;          // of a graph
inline constexpr std::int64_t kMaxTotalChannels = std::int64_t{1} << 24;  // over all values of a graph

struct OpInfo {
  const char* name;
  std::size_t attrs;           ///< index of its alternative in Attrs
  int min_inputs, max_inputs;  ///< the verifier checks the count before it calls infer
  /// Checks attributes and constants against the inputs and returns the output's extents. Not called for Input.
  Result<Extents> (*infer)(const Node& node, std::span<const Extents> inputs);
  std::int64_t (*macs)(const Node& node, Extents output);  ///< null: none
  std::int64_t (*parameters)(const Node& node);            ///< null: none
};

/// Sorted by name.
std::span<const OpInfo> ops();
const OpInfo& op_info(const Attrs& attrs) noexcept;

/// The extents that `node` gives for these inputs, within the limits above.
Result<Extents> infer_node(const Node& node, std::span<const Extents> inputs);

/// An invalid_argument beginning "conv 'stem': ".
template <class... Parts>
Error op_error(const Node& node, const Parts&... parts) {
  return {Code::invalid_argument, text(op_name(node.attrs), " '", node.name, "': ", parts...)};
}
std::string to_string(const Extents& extents);  ///< "1x320x320x3"
inline bool operator==(const Extents& a, const Extents& b) {
  return a.n == b.n && a.h == b.h && a.w == b.w && a.c == b.c;
}

/// Errors unless the slope is a number.
Status check_activation(const Node& node, const ActivationSpec& act);
/// Positions of a sliding window along one axis; the error says so when the padded input is smaller than the window.
struct WindowAxis {
  const char* name;  ///< "height"
  std::int64_t extent, kernel, stride, dilation, pad_before, pad_after;
};
Result<std::int64_t> window_positions(const Node& node, const WindowAxis& axis);

// In the operators' files.
Result<Extents> infer_activation(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_add(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_batch_norm(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_binary(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_concat(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_concat_dims(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_constant_tensor(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_conv(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_from_bytes(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_gather(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_global_average_pool(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_same(const Node& node, std::span<const Extents> inputs);  ///< output like the input
Result<Extents> infer_matmul(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_mul(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_pad(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_pool(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_rearrange(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_reduce(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_reshape(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_resize(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_select(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_slice(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_top_k(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_unary(const Node& node, std::span<const Extents> inputs);
Result<Extents> infer_upsample(const Node& node, std::span<const Extents> inputs);
std::int64_t macs_conv(const Node& node, Extents output);
std::int64_t macs_matmul(const Node& node, Extents output);
std::int64_t parameters_batch_norm(const Node& node);
std::int64_t parameters_constant_tensor(const Node& node);
std::int64_t parameters_conv(const Node& node);
std::int64_t parameters_from_bytes(const Node& node);

}  // namespace tessera
