#pragma once
// The rows of a depthwise convolution over a vector type V (kernels/activation/vec_<isa>.h): which lines they are made
// of. Everything stands in an unnamed namespace, see gemm_body.h.
//
// A line is the pixels of a row at a vector of channels. When few channels would leave lanes idle, and stride and gaps
// allow it, the row is one run of floats instead: vectors across pixels, whose weights repeat every lcm(channels,
// lanes) floats; a line is every `vectors`-th of them. Pixels at the borders, which lack taps, are lines of their own.

#include "kernels/depthwise/depthwise_line.h"

namespace tessera {
namespace {

/// The taps of output o that lie inside an axis of `size` pixels.
inline Taps taps_inside(std::int64_t o, std::int64_t stride, std::int64_t pad, std::int64_t dilation, std::int64_t k,
                        std::int64_t size) {
  const std::int64_t first = o * stride - pad;
  Taps taps{0, k};
  while (taps.from < taps.to && first + taps.from * dilation < 0) ++taps.from;
  while (taps.to > taps.from && first + (taps.to - 1) * dilation >= size) --taps.to;
  return taps;
}

template <class V>
class RowsBody {
 public:
  explicit RowsBody(const DepthwiseRows& rows)
      : rows_(rows),
        s_(*rows.shape),
        io_(rows.operands),
        out_(outlet_of(*rows.epilogue, io_.residual != nullptr)),
        blocks_((s_.oc + V::kLanes - 1) / V::kLanes) {
    while (inner_.from < s_.ow && lacks_taps(inner_.from)) ++inner_.from;
    inner_.to = s_.ow;
    while (inner_.to > inner_.from && lacks_taps(inner_.to - 1)) --inner_.to;
    const bool dense =
        io_.src_stride == s_.oc && io_.dst_stride == s_.oc && (!io_.residual || io_.residual_stride == s_.oc);
    flat_ = dense && s_.sw == 1 && s_.oc % V::kLanes != 0 && rows.vectors * V::kLanes % s_.oc == 0;
  }

  void run() {
    for (std::int64_t y = rows_.from; y < rows_.to;) {
      along_ = taps_down(y);
      const bool pair = s_.kw == 3 && s_.kh == 3 && s_.dh == 1 && s_.sh <= 2 && y + 1 < rows_.to && whole(along_) &&
                        whole(taps_down(y + 1));
      pair ? (s_.sh == 1 ? lines<1>(y) : lines<2>(y)) : lines<0>(y);
      y += pair ? 2 : 1;
    }
  }

 private:
  Taps taps_down(std::int64_t y) const { return taps_inside(y, s_.sh, s_.pt, s_.dh, s_.kh, s_.ih); }
  Taps taps_across(std::int64_t x) const { return taps_inside(x, s_.sw, s_.pl, s_.dw, s_.kw, s_.iw); }
  bool lacks_taps(std::int64_t x) const {
    const Taps t = taps_across(x);
    return t.to - t.from != s_.kw;
  }
  bool whole(const Taps& t) const { return t.to - t.from == s_.kh; }

  /// n vectors of row y from pixel x on, `floats` behind its first channel.
  Line line_at(std::int64_t y, std::int64_t x, std::int64_t floats, std::int64_t vector, std::int64_t n) const {
    const std::int64_t pixel = y * s_.ow + x;
    return {.src = io_.src + ((y * s_.sh - s_.pt) * s_.iw + x * s_.sw - s_.pl) * io_.src_stride + floats,
            .step = s_.sw * io_.src_stride,
            .right = s_.dw * io_.src_stride,
            .down = s_.dh * s_.iw * io_.src_stride,
            .n = n,
            .across = {0, s_.kw},
            .along = along_,
            .weights = rows_.weights + vector * s_.kh * s_.kw * V::kLanes,
            .kw = s_.kw,
            .bias = rows_.bias + vector * V::kLanes,
            .dst = io_.dst + pixel * io_.dst_stride + floats,
            .dst_step = io_.dst_stride,
            .dst_row = s_.ow * io_.dst_stride,
            .residual = io_.residual ? io_.residual + pixel * io_.residual_stride + floats : nullptr,
            .residual_step = io_.residual_stride,
            .residual_row = s_.ow * io_.residual_stride,
            .scratch = reinterpret_cast<float*>(io_.scratch)};
  }

  /// kPair: the distance of a pair of rows (dilation 1), 0 for a single one.
  template <int kPair>
  void lines(std::int64_t y) const {
    if (flat_) flat_lines<kPair>(y);
    for (std::int64_t block = 0; block < blocks_; ++block) {
      const std::int64_t channel = block * V::kLanes;
      if (s_.oc - channel >= V::kLanes) {
        block_line<kPair>(y, block, WholeLanes<V>{}, V::kLanes);
      } else {
        block_line<kPair>(y, block, FirstLanes<V>{static_cast<int>(s_.oc - channel)}, s_.oc - channel);
      }
    }
  }

  template <int kPair, class Lanes>
  void block_line(std::int64_t y, std::int64_t block, const Lanes& lanes, std::int64_t channels) const {
    const auto border = [&](std::int64_t x) {
      Line line = line_at(y, x, block * V::kLanes, block, 1);
      line.across = taps_across(x);
      line_of<kPair>(line, lanes, channels);
    };
    for (std::int64_t x = 0; x < inner_.from; ++x) border(x);
    if (!flat_)
      line_of<kPair>(line_at(y, inner_.from, block * V::kLanes, block, inner_.to - inner_.from), lanes, channels);
    for (std::int64_t x = inner_.to; x < s_.ow; ++x) border(x);
  }

  template <int kPair>
  void flat_lines(std::int64_t y) const {
    const std::int64_t floats = (inner_.to - inner_.from) * s_.oc, whole = floats / V::kLanes,
                       rest = floats % V::kLanes;
    for (std::int64_t v = 0; v < rows_.vectors && v < whole; ++v) {
      line_of<kPair>(flat_line(y, v, v, (whole - v + rows_.vectors - 1) / rows_.vectors), WholeLanes<V>{}, V::kLanes);
    }
    if (rest == 0) return;
    line_of<kPair>(flat_line(y, whole, whole % rows_.vectors, 1), FirstLanes<V>{static_cast<int>(rest)}, rest);
  }
  Line flat_line(std::int64_t y, std::int64_t first, std::int64_t vector, std::int64_t n) const {
    Line line = line_at(y, inner_.from, first * V::kLanes, vector, n);
    line.step = line.dst_step = line.residual_step = rows_.vectors * V::kLanes;
    return line;
  }

  template <int kPair, class Lanes>
  void line_of(const Line& line, const Lanes& lanes, std::int64_t channels) const {
    if constexpr (kPair == 0) {
      any_line<V>(line, out_, lanes);
    } else if (line.across.from == 0 && line.across.to == 3) {
      pair_line<V, kPair, 0, 3>(line, out_, lanes);
    } else if (line.across.from == 1 && line.across.to == 3) {
      pair_line<V, kPair, 1, 3>(line, out_, lanes);
    } else if (line.across.from == 0 && line.across.to == 2) {
      pair_line<V, kPair, 0, 2>(line, out_, lanes);
    } else {
      return two_lines(line, lanes, channels);
    }
    finish_line<V>(line, kPair ? 2 : 1, out_, channels);
  }
  /// A pair of border pixels that lack more than one tap.
  template <class Lanes>
  void two_lines(Line line, const Lanes& lanes, std::int64_t channels) const {
    line_of<0>(line, lanes, channels);
    line.src += s_.sh * s_.iw * io_.src_stride;
    line.dst += line.dst_row;
    if (line.residual) line.residual += line.residual_row;
    line_of<0>(line, lanes, channels);
  }

  const DepthwiseRows& rows_;
  const ConvShape& s_;
  const ConvOperands& io_;
  const Outlet out_;
  const std::int64_t blocks_;
  Taps inner_, along_;  // pixels that have all taps across; taps down of the present row
  bool flat_ = false;
};

template <class V>
void depthwise_rows(const DepthwiseRows& rows) {
  RowsBody<V>(rows).run();
}

}  // namespace
}  // namespace tessera
