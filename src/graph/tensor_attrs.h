#pragma once
// Attributes of the general tensor operators: what exported graphs put around their convolutions. A value's linear
// index counts its elements row-major over its NHWC extents, whatever lies between its pixels in memory. Operators that
// walk `dims` take one step per axis in that index: i0, i1, ... stand for the linear index offset + i0 * strides[0] +
// ... Strides may be 0 (repeats) or negative. The verifier proves that every index lies inside the input.

#include <cstdint>
#include <vector>

#include "base/elementwise.h"
#include "graph/attrs.h"
#include "graph/dims.h"

namespace tessera {

/// No inputs. Not copied: whoever reads it reads the shared numbers.
struct ConstantAttrs {
  Constant data;  ///< in linear order
  Shape4 shape{};
};
/// The same numbers in the same linear order.
struct ReshapeAttrs {
  Shape4 shape{};
};
/// out[linear index over dims] = in[offset + sum of i * stride]: transpose, slice, expand, tile, space to depth, ...
struct RearrangeAttrs {
  Dims dims, strides;
  std::int64_t offset = 0;
  Shape4 shape{};
};
/// act(a kind b), element by element over dims.
struct BinaryAttrs {
  using Kind = BinaryKind;
  BinaryKind kind = BinaryKind::add;
  ActivationSpec act;
  Dims dims, a_strides, b_strides;
  Shape4 shape{};
};
struct UnaryAttrs {
  using Kind = UnaryKind;
  UnaryKind kind = UnaryKind::exp;
  float alpha = 0, beta = 0;  ///< elu, hard_sigmoid, clip
};
/// Inputs condition, a, b: condition != 0 ? a : b, element by element over dims.
struct SelectAttrs {
  Dims dims, c_strides, a_strides, b_strides;
  Shape4 shape{};
};
/// Row-major [m, k] x [k, n] for each place of batch; strides in elements. The results follow one another.
struct MatMulAttrs {
  Dims batch, a_strides, b_strides;
  std::int64_t m = 0, k = 0, n = 0;
  Shape4 shape{};
};
/// For each place of out_dims one number from the places of red_dims, in their row-major order.
struct ReduceAttrs {
  using Kind = ReduceKind;
  ReduceKind kind = ReduceKind::sum;
  bool select_last = false;  ///< argmax, argmin: the last of equals
  Dims out_dims, out_strides, red_dims, red_strides;
  Shape4 shape{};
};
/// The k largest (smallest) of each pixel's channels, sorted; of equals the lower position first, NaN last.
struct TopKAttrs {
  std::int64_t k = 1;
  bool largest = true;
  bool indices = false;  ///< their positions instead of their values
};
/// Inputs data [outer][axis][inner] and indices. out[o][j][i] = data[o][indices[j]][i]; with `elements`
/// data[o][indices[o][j][i]][i]. A negative index counts from the end; one outside is taken as the nearest inside, NaN
/// as 0; fractions are cut off.
struct GatherAttrs {
  std::int64_t outer = 1, axis = 1, inner = 1;
  bool elements = false;
  Shape4 shape{};
};
enum class ResizeKind : std::uint8_t { nearest, linear };
/// Per output row and column the source rows and columns and the weight of the second; nearest uses *_lo alone and the
/// others are empty. linear: lo + w * (hi - lo) along the width, then along the height.
struct ResizeAttrs {
  using Kind = ResizeKind;
  ResizeKind kind = ResizeKind::nearest;
  std::vector<std::int32_t> y_lo, y_hi, x_lo, x_hi;
  std::vector<float> y_w, x_w;
  Shape4 shape{};
};
enum class PadMode : std::uint8_t { constant, reflect, edge };
/// Along all four axes; reflect leaves the border itself out.
struct PadAttrs {
  using Mode = PadMode;
  PadMode mode = PadMode::constant;
  Dims begin{0, 0, 0, 0}, end{0, 0, 0, 0};
  float value = 0;
};
/// Inputs [outer][inner[i]] in their linear orders, joined: out = for each outer the runs of all inputs.
struct ConcatDimsAttrs {
  std::int64_t outer = 1;
  std::vector<std::int64_t> inner;
  Shape4 shape{};
};

}  // namespace tessera
