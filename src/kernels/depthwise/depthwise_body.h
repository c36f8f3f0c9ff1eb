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
    for (std::int64_t y = job_.from; y < job_.to;) {
      const bool pair = pairs && y + 1 < job_.to;
      lines(y, pair ? 2 : 1);
      y += pair ? 2 : 1;
    }
  }

 private:
  static std::int64_t width(const Range& range) { return range.to - range.from; }
  bool lacks_at_most_one(std::int64_t from, std::int64_t to) const {
    return to - from == 0 || (to - from == 1 && width(taps_across(s_, from)) == s_.kw - 1);
  }

  /// Row y from pixel x on, n vectors at channel 0, all with all taps.
  Line line_at(std::int64_t y, std::int64_t rows, std::int64_t x, std::int64_t n) const {
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
  /// The line `vectors` vectors further on, with the next weights.
  void advance(Line& line) const {
    line.src += V::kLanes;
    line.weights += s_.kh * s_.kw * V::kLanes;
    line.bias += V::kLanes;
    line.place.dst += V::kLanes;
    if (line.place.residual) line.place.residual += V::kLanes;
  }

  void lines(std::int64_t y, std::int64_t rows) const {
    if (!flat_) {
      Line line = line_at(y, rows, 0, s_.ow);
      line.inner = inner_;
      return channel_lines(line, rows);
    }
    flat_lines(y, rows);
    if (inner_.from > 0) {
      Line line = line_at(y, rows, 0, inner_.from);
      line.inner = {inner_.from, inner_.from};
      channel_lines(line, rows);
    }
    if (inner_.to < s_.ow) {
      Line line = line_at(y, rows, inner_.to, s_.ow - inner_.to);
      line.inner = {0, 0};
      channel_lines(line, rows);
    }
  }

  void channel_lines(Line line, std::int64_t rows) const {
    std::int64_t channel = 0;
    for (; channel + V::kLanes <= s_.oc; channel += V::kLanes) {
      run_line(line, rows, WholeLanes<V>{}, V::kLanes);
      advance(line);
    }
    const std::int64_t rest = s_.oc - channel;
    if (rest > 0) run_line(line, rows, FirstLanes<V>{static_cast<int>(rest)}, rest);
  }

  void flat_lines(std::int64_t y, std::int64_t rows) const {
    const std::int64_t floats = width(inner_) * s_.oc, period = job_.vectors * V::kLanes, rest = floats % V::kLanes;
    Line line = line_at(y, rows, inner_.from, 0);
    line.step = line.place.step = line.place.residual_step = period;
    const std::int64_t end = floats - rest;
    for (std::int64_t first = 0; first < period && first < floats; first += V::kLanes) {
      line.n = (end - first + period - 1) / period;
      line.inner = {0, line.n};
      if (line.n > 0) run_line(line, rows, WholeLanes<V>{}, V::kLanes);
      if (rest > 0 && end % period == first) flat_rest(line, end - first, rows, rest);
      advance(line);
    }
  }
  /// The last vector of a run of floats, `floats` behind the line's first.
  void flat_rest(Line line, std::int64_t floats, std::int64_t rows, std::int64_t rest) const {
    line.src += floats;
    line.place.dst += floats;
    if (line.place.residual) line.place.residual += floats;
    line.n = line.inner.to = 1;
    run_line(line, rows, FirstLanes<V>{static_cast<int>(rest)}, rest);
  }

  template <class Lanes>
  void run_line(const Line& line, std::int64_t rows, const Lanes& lanes, std::int64_t channels) const {
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
