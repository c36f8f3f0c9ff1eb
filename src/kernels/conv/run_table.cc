#include "kernels/conv/run_table.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera {
namespace {

// A kernel row of up to this many floats is copied where it crosses the border; longer ones go tap by tap, with
// pointers to zeros, which costs nothing once a tap has a few dozen channels.
constexpr std::int64_t kCopiedRun = 64;

struct Row {
  std::int64_t image, iy, ix;  // of tap (0, 0); may lie outside
};
struct Rows {
  std::array<Row, MicroKernel::kMaxRows> at;
  std::int64_t count;
  bool inside = true;  // no tap of any row touches the padding
};

std::int64_t group_channels(const ConvShape& s) { return s.ic / s.groups; }
bool copies_rows(const ConvShape& s) { return s.kh * s.kw > 1 && s.kw * group_channels(s) <= kCopiedRun; }
bool is_pointwise(const ConvShape& s) {
  return s.kh * s.kw == 1 && s.sh == 1 && s.sw == 1 && s.pt == 0 && s.pl == 0 && s.oh == s.ih && s.ow == s.iw;
}

Rows locate(const ConvShape& s, std::int64_t first, std::int64_t count) {
  Rows rows{.at = {}, .count = count};
  std::int64_t x = first % s.ow, y = first / s.ow % s.oh, image = first / s.ow / s.oh;
  for (std::int64_t r = 0; r < count; ++r) {
    const Row row{image, y * s.sh - s.pt, x * s.sw - s.pl};
    rows.at[static_cast<std::size_t>(r)] = row;
    rows.inside &= row.iy >= 0 && row.iy + (s.kh - 1) * s.dh < s.ih && row.ix >= 0 && row.ix + (s.kw - 1) * s.dw < s.iw;
    if (++x < s.ow) continue;
    x = 0;
    if (++y < s.oh) continue;
    y = 0, ++image;
  }
  return rows;
}

const float** pointers(const RunSource& source) { return reinterpret_cast<const float**>(source.scratch); }

/// Every run is inside: pointer = the row's first pixel + an offset that depends on the run only.
RunTable inside_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  const bool whole_rows = source.stride == group_channels(s) && s.dw == 1;  // adjacent taps are adjacent in memory
  std::array<const float*, MicroKernel::kMaxRows> base;
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const Row& row = rows.at[static_cast<std::size_t>(r)];
    base[static_cast<std::size_t>(r)] = source.src + ((row.image * s.ih + row.iy) * s.iw + row.ix) * source.stride;
  }
  RunTable table{pointers(source), whole_rows ? s.kh : s.kh * s.kw, group_channels(s) * (whole_rows ? s.kw : 1)};
  const float** out = table.runs;
  for (std::int64_t ky = 0; ky < s.kh; ++ky) {
    for (std::int64_t kx = 0; kx < (whole_rows ? 1 : s.kw); ++kx, out += source.pitch) {
      const std::int64_t offset = (ky * s.dh * s.iw + kx * s.dw) * source.stride;
      for (std::int64_t r = 0; r < rows.count; ++r) out[r] = base[static_cast<std::size_t>(r)] + offset;
    }
  }
  return table;
}

/// Tap by tap; taps outside point to zeros.
RunTable clipped_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  RunTable table{pointers(source), s.kh * s.kw, group_channels(s)};
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const Row& row = rows.at[static_cast<std::size_t>(r)];
    const float** out = table.runs + r;
    for (std::int64_t ky = 0; ky < s.kh; ++ky) {
      const std::int64_t iy = row.iy + ky * s.dh;
      for (std::int64_t kx = 0; kx < s.kw; ++kx, out += source.pitch) {
        const std::int64_t ix = row.ix + kx * s.dw;
        const bool inside = iy >= 0 && iy < s.ih && ix >= 0 && ix < s.iw;
        *out = inside ? source.src + ((row.image * s.ih + iy) * s.iw + ix) * source.stride : source.zeros;
      }
    }
  }
  return table;
}

/// One pixel's patch [kh][kw][channels], with the zeros of the padding.
void copy_patch(const RunSource& source, const Row& row, float* out) {
  const ConvShape& s = *source.shape;
  const std::int64_t channels = group_channels(s);
  for (std::int64_t ky = 0; ky < s.kh; ++ky) {
    const std::int64_t iy = row.iy + ky * s.dh;
    const float* line = source.src + (row.image * s.ih + iy) * s.iw * source.stride;
    for (std::int64_t kx = 0; kx < s.kw; ++kx, out += channels) {
      const std::int64_t ix = row.ix + kx * s.dw;
      const bool inside = iy >= 0 && iy < s.ih && ix >= 0 && ix < s.iw;
      const float* from = inside ? line + ix * source.stride : source.zeros;
      for (std::int64_t i = 0; i < channels; ++i) out[i] = from[i];
    }
  }
}

/// All patches side by side: one run of the whole sum's length per row.
RunTable copied_runs(const RunSource& source, const Rows& rows) {
  const ConvShape& s = *source.shape;
  const std::int64_t k = s.kh * s.kw * group_channels(s);
  float* panel = reinterpret_cast<float*>(source.scratch + sizeof(float*) * s.kh * s.kw * source.pitch);
  RunTable table{pointers(source), 1, k};
  for (std::int64_t r = 0; r < rows.count; ++r) {
    copy_patch(source, rows.at[static_cast<std::size_t>(r)], panel + r * k);
    table.runs[r] = panel + r * k;
  }
  return table;
}

RunTable pointwise_runs(const RunSource& source, std::int64_t first, std::int64_t rows) {
  RunTable table{pointers(source), 1, group_channels(*source.shape)};
  for (std::int64_t r = 0; r < rows; ++r) table.runs[r] = source.src + (first + r) * source.stride;
  return table;
}

}  // namespace

std::size_t run_table_bytes(const ConvShape& shape, std::int64_t pitch) {
  const std::int64_t taps = shape.kh * shape.kw;
  const std::int64_t copied = copies_rows(shape) ? taps * group_channels(shape) : 0;
  return static_cast<std::size_t>(pitch) * (sizeof(float*) * taps + sizeof(float) * copied);
}

RunTable make_run_table(const RunSource& source, std::int64_t first, std::int64_t rows) {
  const ConvShape& shape = *source.shape;
  if (is_pointwise(shape)) return pointwise_runs(source, first, rows);
  const Rows located = locate(shape, first, rows);
  if (located.inside) return inside_runs(source, located);
  return copies_rows(shape) ? copied_runs(source, located) : clipped_runs(source, located);
}

}  // namespace tessera
