#pragma once
// The rows of a depthwise convolution over a vector type V (kernels/activation/vec_<isa>.h): which lines they are made
// of. Everything stands in an unnamed namespace, see gemm_body.h.
//
// A line is the pixels of a row at a vector of channels. When few channels would leave lanes idle, and stride and gaps
// allow it, the row is one run of floats instead: vectors across pixels, whose weights repeat every lcm(channels,
// lanes) floats, and a line is every so-manyth of them. Pixels at the borders, which lack taps, are lines of their own
// then.

#include "kernels/depthwise/depthwise_line.h"
#include "kernels/depthwise/depthwise_three.h"

namespace tessera {
namespace {

template <class V>
class RowsBody {
 public:
  explicit RowsBody(const DepthwiseRows& job)
      : job_(job), s_(*job.shape), io_(job.operands), out_(outlet_of(*job.epilogue, io_.residual != nullptr)) {
    const auto whole = [&](std::int64_t x) { return width(taps_across(s_, x)) == s_.kw; };
    while (inner_.from < s_.ow && !whole(inner_.from)) ++inner_.from;
    inner_.to = s_.ow;
    while (inner_.to > inner_.from && !whole(inner_.to - 1)) --inner_.to;
    const bool dense =
        io_.src_stride == s_.oc && io_.dst_stride == s_.oc && (!io_.residual || io_.residual_stride == s_.oc);
    flat_ = dense && s_.sw == 1 && s_.oc % V::kLanes != 0 && job.vectors * V::kLanes % s_.oc == 0;
    three_ = s_.kh == 3 && s_.kw == 3 && s_.dw == 1 && s_.sh == s_.sw && s_.sh <= 2 &&
             lacks_at_most_one(0, inner_.from) && lacks_at_most_one(inner_.to, s_.ow);
  }

  void run() const {
    // The rows of a pair share taps; that they are added in the same order as alone keeps the bits.
    const bool pairs = s_.dh == 1 && s_.sh <= s_.kh;
    const std::int64_t group = channels_at_a_time();
    for (std::int64_t channel = 0; channel < s_.oc; channel += group) {
      const Range channels{channel, channel + group < s_.oc ? channel + group : s_.oc};
      for (std::int64_t y = job_.from; y < job_.to;) {
        const int rows = pairs && y + 1 < job_.to ? 2 : 1;
        lines(y, rows, channels);
        y += rows;
      }
    }
  }

 private:
  static std::int64_t width(const Range& range) { return range.to - range.from; }
  bool lacks_at_most_one(std::int64_t from, std::int64_t to) const {
    return to - from == 0 || (to - from == 1 && width(taps_across(s_, from)) == s_.kw - 1);
  }

  /// So many that the lines of source that several lines of outputs need stay in L1. An image too large for L2 has to
  /// pass by once, whole.
  std::int64_t channels_at_a_time() const {
    constexpr std::int64_t kL1Floats = 9 << 10, kL2Floats = 160 << 10;
    if (flat_ || s_.ih * s_.iw * io_.src_stride > kL2Floats) return s_.oc;
    const std::int64_t vectors = kL1Floats / (V::kLanes * ((s_.kh + s_.sh) * s_.iw + 2 * s_.ow));
    return (vectors > 1 ? vectors : 1) * V::kLanes;
  }

  /// Row y, or two, from pixel x and channel 0 on: n vectors with all taps across.
  Line line_at(std::int64_t y, int rows, std::int64_t x, std::int64_t n) const {
    const std::int64_t pixel = y * s_.ow + x;
    return {.src = io_.src + ((y * s_.sh - s_.pt) * s_.iw + x * s_.sw - s_.pl) * io_.src_stride,
            .step = s_.sw * io_.src_stride,
            .right = s_.dw * io_.src_stride,
            .down = s_.dh * s_.iw * io_.src_stride,
            .n = n,
            .inner = {0, n},
            .x = x,
            .rows = taps_inside(y, s_.sh, s_.pt, s_.dh, s_.kh + (rows - 1) * s_.sh, s_.ih),
            .weights = job_.weights,
            .bias = job_.bias,
            .place = {.dst = io_.dst + pixel * io_.dst_stride,
                      .step = io_.dst_stride,
                      .row = s_.ow * io_.dst_stride,
                      .residual = io_.residual ? io_.residual + pixel * io_.residual_stride : nullptr,
                      .residual_step = io_.residual_stride,
                      .residual_row = s_.ow * io_.residual_stride,
                      .scratch = reinterpret_cast<float*>(io_.scratch)}};
  }
  static void move(Line& line, std::int64_t floats) {
    line.src += floats;
    line.place.dst += floats;
    if (line.place.residual) line.place.residual += floats;
  }
  /// On to the channels that begin `floats` (whole vectors) further.
  void move_channels(Line& line, std::int64_t floats) const {
    move(line, floats);
    line.weights += floats * s_.kh * s_.kw;
    line.bias += floats;
  }

  void lines(std::int64_t y, int rows, const Range& channels) const {
    if (!flat_) {
      Line line = line_at(y, rows, 0, s_.ow);
      line.inner = inner_;
      return channel_lines(line, rows, channels);
    }
    flat_lines(y, rows);
    Line left = line_at(y, rows, 0, inner_.from), right = line_at(y, rows, inner_.to, s_.ow - inner_.to);
    left.inner.from = left.n;
    right.inner.to = 0;
    if (left.n > 0) channel_lines(left, rows, channels);
    if (right.n > 0) channel_lines(right, rows, channels);
  }

  void channel_lines(Line line, int rows, const Range& channels) const {
    move_channels(line, channels.from);
    std::int64_t left = channels.to - channels.from;
    for (; left >= V::kLanes; left -= V::kLanes) {
      run_line(line, rows, WholeLanes<V>{}, V::kLanes);
      move_channels(line, V::kLanes);
    }
    if (left > 0) run_line(line, rows, FirstLanes<V>{static_cast<int>(left)}, left);
  }

  void flat_lines(std::int64_t y, int rows) const {
    const std::int64_t period = job_.vectors * V::kLanes, floats = width(inner_) * s_.oc, rest = floats % V::kLanes;
    Line line = line_at(y, rows, inner_.from, 0);
    line.step = line.place.step = line.place.residual_step = period;
    for (std::int64_t first = 0; first < period && first < floats; first += V::kLanes) {
      const std::int64_t end = floats - rest - first;  // of the whole vectors, counted from this line's first
      line.n = line.inner.to = (end + period - 1) / period;
      if (line.n > 0) run_line(line, rows, WholeLanes<V>{}, V::kLanes);
      if (rest > 0 && end % period == 0) flat_rest(line, end, rows, rest);
      move_channels(line, V::kLanes);
    }
  }
  /// The run's last, incomplete vector.
  void flat_rest(Line line, std::int64_t floats, int rows, std::int64_t rest) const {
    move(line, floats);
    line.n = line.inner.to = 1;
    run_line(line, rows, FirstLanes<V>{static_cast<int>(rest)}, rest);
  }

  template <class Lanes>
  void run_line(const Line& line, int rows, const Lanes& lanes, std::int64_t channels) const {
    if (rows == 1) {
      any_line<V, false>(line, s_, out_, lanes);
    } else if (!three_) {
      any_line<V, true>(line, s_, out_, lanes);
    } else if (s_.sh == 2) {
      three_line<V, 2, 2>(line, out_, lanes);
    } else if (line.step == line.right) {
      three_line<V, 1, 1>(line, out_, lanes);
    } else if (line.step == 2 * line.right) {
      three_line<V, 1, 2>(line, out_, lanes);
    } else {
      three_line<V, 1, 0>(line, out_, lanes);
    }
    finish_line<V>(line.place, rows, line.n, channels, out_);
  }

  const DepthwiseRows& job_;
  const ConvShape& s_;
  const ConvOperands& io_;
  const Outlet out_;
  Range inner_;         // pixels with all taps across
  bool flat_ = false;   // rows as runs of floats
  bool three_ = false;  // three_line does it
};

template <class V>
void depthwise_rows(const DepthwiseRows& rows) {
  RowsBody<V>(rows).run();
}

}  // namespace
}  // namespace tessera
