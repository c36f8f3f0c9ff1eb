#include "kernels/conv/run_table.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera {
namespace {

// A kernel row of up to this many floats is copied where it crosses the border; longer ones go tap by tap, with
// pointers to zeros, which costs nothing once a tap has a few dozen channels.
constexpr std::int64_t kCopiedRun = 64;
constexpr std::int64_t kFramedBytes = 16 << 10;  // stays in L1 beside a panel of weights

// Of each output pixel: where tap (0, 0) lies, row and column (may be outside) and its number among all source pixels.
struct Rows {
  std::int64_t count;
  bool inside = true;    // no tap of any row touches the padding
  bool one_line = true;  // of outputs
  std::array<std::int64_t, MicroKernel::kMaxRows> iy, ix, pixel;
};

std::int64_t group_channels(const ConvShape& s) { return s.ic / s.groups; }
bool is_pointwise(const ConvShape& s) {
  return s.kh * s.kw == 1 && s.sh == 1 && s.sw == 1 && s.pt == 0 && s.pl == 0 && s.oh == s.ih && s.ow == s.iw;
}

Rows locate(const ConvShape& s, PixelPlace place, std::int64_t count) {
  Rows rows;
  rows.count = count;
  for (std::int64_t r = 0; r < count;) {
    // What of the tile lies in one line: its two ends decide for all between.
    const std::int64_t end = std::min(count, r + s.ow - place.x), pixels = end - r;
    const std::int64_t iy = place.y * s.sh - s.pt, ix = place.x * s.sw - s.pl, last = ix + (pixels - 1) * s.sw;
    const std::int64_t pixel = (place.image * s.ih + iy) * s.iw + ix;
    rows.inside &= iy >= 0 && iy + (s.kh - 1) * s.dh < s.ih && ix >= 0 && last + (s.kw - 1) * s.dw < s.iw;
    rows.one_line &= pixels == count;
    if (rows.inside && rows.one_line) {  // the first row tells where the others are
      rows.pixel[0] = pixel;
      return rows;
    }
    for (std::int64_t i = 0; r < end; ++r, i += s.sw) {
      const auto at = static_cast<std::size_t>(r);
      rows.iy[at] = iy, rows.ix[at] = ix + i, rows.pixel[at] = pixel + i;
    }
    place.advance(s, pixels);
  }
  return rows;
}

const float** pointers(const RunSource& source) { return reinterpret_cast<const float**>(source.scratch); }

/// Every run is inside: pointer = the row's first pixel + an offset that depends on the run only.
RunTable inside_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  const bool whole_rows = source.stride == group_channels(s) && s.dw == 1;  // adjacent taps are adjacent in memory
  RunTable table{pointers(source), whole_rows ? s.kh : s.kh * s.kw, group_channels(s) * (whole_rows ? s.kw : 1)};
  if (rows.one_line) table.stride = s.sw * source.stride;
  const std::int64_t count = rows.one_line ? 1 : rows.count, pitch = rows.one_line ? 1 : source.pitch;
  const float** out = table.runs;
  for (std::int64_t ky = 0; ky < s.kh; ++ky) {
    for (std::int64_t kx = 0; kx < (whole_rows ? 1 : s.kw); ++kx, out += pitch) {
      const float* tap = source.src + (ky * s.dh * s.iw + kx * s.dw) * source.stride;
      for (std::int64_t r = 0; r < count; ++r) out[r] = tap + rows.pixel[static_cast<std::size_t>(r)] * source.stride;
    }
  }
  return table;
}

/// Tap by tap; taps outside point to zeros.
RunTable clipped_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  RunTable table{pointers(source), s.kh * s.kw, group_channels(s)};
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const float* first = source.src + rows.pixel[at] * source.stride;
    const float** out = table.runs + r;
    for (std::int64_t ky = 0; ky < s.kh; ++ky) {
      const std::int64_t iy = rows.iy[at] + ky * s.dh;
      for (std::int64_t kx = 0; kx < s.kw; ++kx, out += source.pitch) {
        const std::int64_t ix = rows.ix[at] + kx * s.dw;
        const bool inside = iy >= 0 && iy < s.ih && ix >= 0 && ix < s.iw;
        *out = inside ? first + (ky * s.dh * s.iw + kx * s.dw) * source.stride : source.zeros;
      }
    }
  }
  return table;
}

// Exactly n floats; n is small, so no call.
[[gnu::always_inline]] inline void copy_floats(float* to, const float* from, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) std::memcpy(to + i, from + i, 4 * sizeof(float));
  for (; i < n; ++i) std::memcpy(to + i, from + i, sizeof(float));
}

/// The patch of an output whose first tap lies in row iy and column ix of an image, number `pixel` of the source.
void copy_patch(const RunSource& source, std::int64_t iy, std::int64_t ix, std::int64_t pixel, float* out) {
  const ConvShape& s = *source.shape;
  const std::int64_t channels = group_channels(s), length = s.kw * channels;
  // Taps inside the image across: [from, to).
  std::int64_t from = 0, to = s.kw;
  while (from < to && ix + from * s.dw < 0) ++from;
  while (to > from && ix + (to - 1) * s.dw >= s.iw) --to;
  for (std::int64_t ky = 0; ky < s.kh; ++ky, iy += s.dh, out += length) {
    if (to - from < s.kw || iy < 0 || iy >= s.ih) {
      for (std::int64_t i = 0; i < length; ++i) out[i] = 0.0f;
    }
    if (iy < 0 || iy >= s.ih) continue;
    const float* line = source.src + (pixel + ky * s.dh * s.iw) * source.stride;
    if (s.dw * source.stride == channels) {
      copy_floats(out + from * channels, line + from * channels, (to - from) * channels);
      continue;
    }
    for (std::int64_t kx = from; kx < to; ++kx) {
      copy_floats(out + kx * channels, line + kx * s.dw * source.stride, channels);
    }
  }
}

/// Patches that touch the padding are copied, side by side; the others are read where they lie, if they lie in runs.
RunTable copied_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  const bool whole_rows = source.stride == group_channels(s) && s.dw == 1;
  const std::int64_t length = s.kw * group_channels(s);
  float* panel = reinterpret_cast<float*>(source.scratch + sizeof(float*) * s.kh * s.kw * source.pitch);
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const std::int64_t iy = rows.iy[at], ix = rows.ix[at];
    const bool inside = iy >= 0 && iy + (s.kh - 1) * s.dh < s.ih && ix >= 0 && ix + s.kw <= s.iw;
    const float* first = source.src + rows.pixel[at] * source.stride;
    std::int64_t step = s.dh * s.iw * source.stride;
    if (!whole_rows || !inside) {
      float* patch = panel + r * s.kh * length;
      copy_patch(source, iy, ix, rows.pixel[at], patch);
      first = patch, step = length;
    }
    const float** out = pointers(source) + r;
    for (std::int64_t ky = 0; ky < s.kh; ++ky, out += source.pitch) *out = first + ky * step;
  }
  return {pointers(source), s.kh, length};
}

RunTable pointwise_runs(const RunSource& source, const PixelPlace& first) {
  const ConvShape& s = *source.shape;
  RunTable table{pointers(source), 1, group_channels(s), source.stride};
  table.runs[0] = source.src + ((first.image * s.oh + first.y) * s.ow + first.x) * source.stride;
  return table;
}

}  // namespace

bool copies_rows(const ConvShape& s) { return s.kh * s.kw > 1 && s.kw * group_channels(s) <= kCopiedRun; }

std::size_t run_table_bytes(const ConvShape& shape, std::int64_t pitch) {
  const std::int64_t taps = shape.kh * shape.kw;
  const std::int64_t copied = copies_rows(shape) ? taps * group_channels(shape) : 0;
  return static_cast<std::size_t>(pitch) * (sizeof(float*) * taps + sizeof(float) * copied);
}

void PixelPlace::advance(const ConvShape& shape, std::int64_t pixels) noexcept {
  for (x += pixels; x >= shape.ow; x -= shape.ow) {
    if (++y == shape.oh) y = 0, ++image;
  }
}

void copy_patch(const RunSource& source, const PixelPlace& output, float* out) {
  const ConvShape& s = *source.shape;
  const std::int64_t iy = output.y * s.sh - s.pt, ix = output.x * s.sw - s.pl;
  copy_patch(source, iy, ix, (output.image * s.ih + iy) * s.iw + ix, out);
}

RunTable make_run_table(const RunSource& source, const PixelPlace& first, std::int64_t rows) {
  const ConvShape& shape = *source.shape;
  if (is_pointwise(shape)) return pointwise_runs(source, first);
  const Rows located = locate(shape, first, rows);
  if (located.inside) return inside_runs(source, located);
  return copies_rows(shape) ? copied_runs(source, located) : clipped_runs(source, located);
}

std::optional<ConvShape> framed(const ConvShape& s) {
  ConvShape frame = s;
  frame.ih = (s.oh - 1) * s.sh + (s.kh - 1) * s.dh + 1, frame.iw = (s.ow - 1) * s.sw + (s.kw - 1) * s.dw + 1;
  frame.pt = frame.pl = 0;
  frame.ic = group_channels(s), frame.groups = 1;
  const bool same = frame.ih <= s.ih && frame.iw <= s.iw && s.pt == 0 && s.pl == 0;
  if (same || !copies_rows(s) || 4 * frame.ih * frame.iw * frame.ic > kFramedBytes) return std::nullopt;
  return frame;
}

void copy_into_frame(const ConvShape& s, const ConvShape& frame, const float* src, std::int64_t stride,
                     std::int64_t from, std::int64_t to, float* dst) {
  const std::int64_t left = s.pl, right = std::min(frame.iw, s.pl + s.iw);  // columns of the frame with pixels
  dst += from * frame.iw * frame.ic;
  for (std::int64_t y = from; y < to; ++y, dst += frame.iw * frame.ic) {
    const std::int64_t iy = y - s.pt;
    std::fill_n(dst, frame.iw * frame.ic, 0.0f);
    if (iy < 0 || iy >= s.ih) continue;
    for (std::int64_t x = left; x < right; ++x) {
      copy_floats(dst + x * frame.ic, src + (iy * s.iw + x - left) * stride, frame.ic);
    }
  }
}

}  // namespace tessera
