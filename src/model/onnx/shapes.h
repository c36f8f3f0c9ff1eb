#pragma once
// The arithmetic of shapes that ONNX's operators define, on numbers from a file: what evaluate/ and lower/ share.
// Every function takes the node for its error text ("Slice 'cut': ...") and gives extents whose product was checked.

#include <tessera/result.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/onnx/ir.h"

namespace tessera::onnx {

/// No value of an imported graph may have more elements; extents of 0 count as 1 here, so that strides fit as well.
inline constexpr std::int64_t kMaxTensor = std::int64_t{1} << 40;

/// "Slice 'cut'": what an error about the node begins with.
std::string called(const IrNode& node);
/// "[2, 3]".
std::string shown(std::span<const std::int64_t> numbers);
inline std::string shown(const Dims& dims) { return shown(std::span(dims.begin(), dims.end())); }

/// The inputs or attributes contradict each other or the specification.
template <class... Parts>
Error misfit(const IrNode& node, const Parts&... parts) {
  return {Code::invalid_argument, text(called(node), ": ", parts...)};
}
template <class... Parts>
Error not_supported(const IrNode& node, const Parts&... parts) {
  return {Code::unsupported, text(called(node), ": ", parts...)};
}

/// The product of the extents, which are not negative, at most Dims::kMax and within `limit`.
Result<std::int64_t> elements(const IrNode& node, const Dims& dims, std::int64_t limit = kMaxTensor);
/// Of extents that elements() accepted.
std::int64_t product(const Dims& dims, int first, int last);
inline std::int64_t product(const Dims& dims) { return product(dims, 0, dims.count); }
/// Numbers as extents; errors when there are more than Dims::kMax.
Result<Dims> dims_of(const IrNode& node, std::span<const std::int64_t> numbers);

/// An axis from [-rank, rank) as one from [0, rank).
Result<int> axis_of(const IrNode& node, std::int64_t axis, int rank);
/// The same for several, in the given order; twice the same is an error.
Result<std::vector<int>> axes_of(const IrNode& node, std::span<const std::int64_t> axes, int rank);

/// NumPy's rule: extents aligned at the last axis, equal or 1. Extents of 0 only meet 0 and 1.
Result<Dims> broadcast(const IrNode& node, const Dims& a, const Dims& b);

/// Reshape: 0 copies the extent (unless the attribute allowzero says otherwise), one -1 takes what is left.
Result<Dims> reshaped(const IrNode& node, const Dims& from, std::span<const std::int64_t> target);
/// Flatten: two extents, the axes before and from the attribute axis on.
Result<Dims> flattened(const IrNode& node, const Dims& from);
/// Squeeze: drops the named extents of 1, or all of them.
Result<Dims> squeezed(const IrNode& node, const Dims& from, std::optional<std::span<const std::int64_t>> axes);
/// Unsqueeze: axes count in the result.
Result<Dims> unsqueezed(const IrNode& node, const Dims& from, std::span<const std::int64_t> axes);
/// Transpose: result axis i is input axis permutation[i].
Result<std::vector<int>> permutation_of(const IrNode& node, int rank);

/// begin, begin + step, ...: count of them, all inside the extent. With fewer than two, step is 1.
struct Range {
  std::int64_t begin = 0, step = 1, count = 0;
  bool operator==(const Range&) const = default;
};
struct SliceInputs {
  std::span<const std::int64_t> starts, ends;
  std::optional<std::span<const std::int64_t>> axes, steps;
};
/// Slice: one range per axis of `from`.
Result<std::vector<Range>> slice_ranges(const IrNode& node, const Dims& from, const SliceInputs& inputs);

/// Split: the extents of the node's outputs along the axis. Without sizes equal parts, the last one smaller if need be
/// from opset 18 on.
Result<std::vector<std::int64_t>> split_sizes(const IrNode& node, std::int64_t extent,
                                              std::optional<std::span<const std::int64_t>> sizes, std::int64_t opset);

/// Pad: how much is added (or cut off, when negative) per axis of the input, and the extents that result.
struct Pads {
  Dims begin, end, dims;
};
Result<Pads> pads_of(const IrNode& node, const Dims& from, std::span<const std::int64_t> pads,
                     std::optional<std::span<const std::int64_t>> axes);

/// Tile: each extent times its repeats.
Result<Dims> tiled(const IrNode& node, const Dims& from, std::span<const std::int64_t> repeats);

/// DepthToSpace and SpaceToDepth: seen as `split`, transposed by `permutation`, seen as `dims`.
struct Blocks {
  Dims split;
  std::vector<int> permutation;
  Dims dims;
};
Result<Blocks> blocks_of(const IrNode& node, const Dims& from);

/// Concat: the input's extents agree but for the axis.
Result<Dims> concatenated(const IrNode& node, std::span<const Dims> inputs, int axis);

}  // namespace tessera::onnx
