#pragma once
// A tensor of the ONNX graph as a window onto an engine value: element (i0, i1, ...) stands at offset + i0 * strides[0]
// + i1 * strides[1] + ... in the value's linear order (row-major over its NHWC extents). Transpose, slice, expand and
// most reshapes only change the window; numbers move when a consumer needs them in one order.

#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "model/onnx/ir.h"

namespace tessera::onnx {

struct View {
  ValueId base = kNone;
  Kind kind = Kind::real;
  Dims dims, strides;
  std::int64_t offset = 0;
};

/// Axes of the ONNX tensor from outermost to innermost in memory.
using Order = std::vector<int>;

/// Row-major: 0, 1, 2, ...
Order natural_order(int rank);
/// Pixels with their channels together: N, spatial axes, C of an [N, C, ...] tensor.
Order image_order(int rank);
/// The order whose strides fall: of several (axes of extent 1 fit anywhere) an image's for rank 4, else row-major.
Order memory_order(const View& view);

/// The whole of a value whose linear order walks `dims` in `order`.
View whole(ValueId base, Kind kind, const Dims& dims, const Order& order);
/// The view sees each of `elements` numbers once, in the linear order that `order` walks.
bool is_stored(const View& view, const Order& order, std::int64_t elements);
/// The view sees each of `elements` numbers once, in some order of its axes.
bool covers(const View& view, std::int64_t elements);

View transposed(const View& view, std::span<const int> permutation);
/// The same numbers in the same row-major order; nullopt where strides cannot say it.
std::optional<View> reshaped(const View& view, const Dims& dims);
/// Broadcast to `dims` (checked before): repeated axes get stride 0, missing ones come in front.
View expanded(const View& view, const Dims& dims);
/// Axis `axis` becomes begin, begin + step, ... (count of them).
View sliced(View view, int axis, std::int64_t begin, std::int64_t step, std::int64_t count);

/// Extents and strides in the given order of axes.
Dims permuted(const Dims& dims, const Order& order);
/// Four extents for dims in memory order: rank 4 as it is, lower ranks with 1s in front, higher ones with the outer
/// axes joined.
Shape4 four_extents(const Dims& dims);

}  // namespace tessera::onnx
