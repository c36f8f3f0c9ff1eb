#pragma once
// Rearranging by tables: every axis of the result has, per index, its share of the source's address. Transpose, Slice,
// Split, Expand, Tile, Pad and Gather differ in their tables only.

#include <vector>

#include "model/onnx/evaluate/call.h"

namespace tessera::onnx {

/// One entry per index of an axis: a part of the source's linear index, or kNowhere for an element of padding.
using AxisTable = std::vector<std::int64_t>;
inline constexpr std::int64_t kNowhere = -1;

/// Row-major strides.
Dims strides_of(const Dims& dims);
/// The places of a range along an axis of this stride.
AxisTable table_of(const Range& range, std::int64_t stride);
/// All places of an axis, in order.
inline AxisTable table_of(std::int64_t extent, std::int64_t stride) { return table_of(Range{0, 1, extent}, stride); }

/// result[i, j, ...] = source[tables[0][i] + tables[1][j] + ...], or `padding` where one of them says kNowhere.
/// The tables' sizes are the result's extents, whose product room_for() accepted.
Tensor take(const Tensor& source, const std::vector<AxisTable>& tables, double padding = 0);

}  // namespace tessera::onnx
