// How a prepared convolution of few channels runs: lines of outputs, strip by strip.

#include <algorithm>

#include "kernels/conv/strips.h"
#include "kernels/round.h"

namespace tessera {
namespace {

constexpr std::int64_t kStripBytes = 24 << 10;  // a strip's sources and outputs stay in L1 while the panels pass

}  // namespace

/// What stays the same for all strips of a task.
struct StripConv::Job {
  const ConvOperands* operands;
  RunSource source;
  Range inner_x;  // none, if the rows of taps are not runs
  float* patches;
};

void StripConv::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const std::int64_t index = static_cast<std::int64_t>(task), lines = shape_.mb * shape_.oh * lines_per_row();
  run_lines(index * lines / tasks_, (index + 1) * lines / tasks_, operands);
}

void StripConv::run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  run_lines(from * lines_per_row(), to * lines_per_row(), operands);
}

StripConv::Job StripConv::make_job(const ConvOperands& operands, const float* src, std::int64_t stride) const noexcept {
  const bool runs = shape_.kw == 1 || (stride == shape_.ic && shape_.dw == 1);
  return {.operands = &operands,
          .source = {.shape = &source_, .src = src, .stride = stride},
          .inner_x = runs ? inner_x_ : Range{},
          .patches = reinterpret_cast<float*>(operands.scratch + scratch().patches)};
}

void StripConv::run_lines(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  if (frame_) return run_framed(from, to, operands);
  const Job job = make_job(operands, operands.src, operands.src_stride);
  pointwise_ ? run_pixels(from, to, job) : run_blocks(from, to, job);
}

// Image by image, as if it were the only one.
void StripConv::run_framed(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  float* frame = reinterpret_cast<float*>(operands.scratch + scratch().frame);
  for (std::int64_t lines = 0; from < to; from += lines) {
    const std::int64_t image = from / s.oh, y = from % s.oh, pixels = image * s.oh * s.ow;
    lines = std::min(to - from, s.oh - y);
    ConvOperands io = operands;
    io.src += image * s.ih * s.iw * io.src_stride;
    io.dst += pixels * io.dst_stride;
    if (io.residual) io.residual += pixels * io.residual_stride;
    copy_into_frame(s, *frame_, io.src, io.src_stride, y * s.sh, (y + lines - 1) * s.sh + (s.kh - 1) * s.dh + 1, frame);
    run_blocks(y, y + lines, make_job(io, frame, s.ic));
  }
}

void StripConv::run_blocks(std::int64_t from, std::int64_t to, const Job& job) const noexcept {
  for (std::int64_t lines = 0; from < to; from += lines) {
    const std::int64_t oh = shape_.oh;
    const PixelPlace first{.image = from / oh, .y = from % oh, .x = 0};
    // Lines alike: all above, in or below the inner ones.
    const std::int64_t end = first.y < inner_y_.from ? inner_y_.from : first.y < inner_y_.to ? inner_y_.to : oh;
    lines = std::min({to - from, end - first.y, std::int64_t{kernel_->rows}});
    run_block(job, first, lines);
  }
}

void StripConv::run_pixels(std::int64_t from, std::int64_t to, const Job& job) const noexcept {
  const std::int64_t rows = kernel_->rows, stride = job.operands->src_stride;
  const std::int64_t in_l1 = std::max(4 * rows, kStripBytes / 4 / (shape_.ic + shape_.oc) / rows * rows);
  const std::int64_t longest = pieces_.size() == 1 ? to - from : in_l1;
  for (std::int64_t pixels = 0; from < to; from += pixels) {
    pixels = std::min(longest, to - from);
    const float* src = job.operands->src + from * stride;
    strip(job, from, pixels, 1, {.a = &src, .a_stride = stride, .segments = 1, .length = shape_.ic});
  }
}

void StripConv::run_block(const Job& job, const PixelPlace& first, std::int64_t lines) const noexcept {
  const ConvShape& s = source_;
  PixelPlace place = first;
  const bool inner = inner_y_.has(first.y) && job.inner_x.to > 0;
  for (; place.y < first.y + lines; ++place.y) {
    if (!inner) {
      for (place.x = 0; place.x < s.ow; place.x += kernel_->rows) {
        copied(job, place, std::min<std::int64_t>(kernel_->rows, s.ow - place.x), false);
      }
      continue;
    }
    const float* a[kMostKernelRows];
    const std::int64_t iy = place.y * s.sh - s.pt, ix = job.inner_x.from * s.sw - s.pl;
    for (std::int64_t ky = 0; ky < s.kh; ++ky) {
      a[ky] = job.source.src + ((place.image * s.ih + iy + ky * s.dh) * s.iw + ix) * job.source.stride;
    }
    strip(job, (place.image * s.oh + place.y) * s.ow + job.inner_x.from, job.inner_x.to - job.inner_x.from, 1,
          {.a = a, .a_stride = s.sw * job.source.stride, .segments = s.kh, .length = s.kw * s.ic});
  }
  if (!inner) return;
  place.y = first.y;
  for (place.x = 0; place.x < s.ow; ++place.x) {
    if (place.x == job.inner_x.from) place.x = job.inner_x.to;
    if (place.x < s.ow) copied(job, place, lines, true);
  }
}

/// Outputs along a line, or down a column.
void StripConv::copied(const Job& job, PixelPlace place, std::int64_t count, bool down) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t run = s.kw * s.ic, patch = s.kh * run;
  const std::int64_t first = (place.image * s.oh + place.y) * s.ow + place.x;
  for (std::int64_t i = 0; i < count; ++i, ++(down ? place.y : place.x)) {
    copy_patch(job.source, place, job.patches + i * patch);
  }
  const float* a[kMostKernelRows];
  for (std::int64_t ky = 0; ky < s.kh; ++ky) a[ky] = job.patches + ky * run;
  strip(job, first, count, down ? s.ow : 1, {.a = a, .a_stride = patch, .segments = s.kh, .length = run});
}

/// The outputs first, first + step, ..., in tiles of as equal height as possible: a low last one would wait for itself.
void StripConv::strip(const Job& job, std::int64_t first, std::int64_t pixels, std::int64_t step,
                      GemmTile call) const noexcept {
  const ConvOperands& io = *job.operands;
  const std::int64_t tiles = ceil_div(pixels, kernel_->rows), low = pixels / tiles, higher = pixels % tiles;
  call.dst_stride = step * io.dst_stride, call.residual_stride = step * io.residual_stride;
  call.epilogue = &epilogue_, call.scratch = reinterpret_cast<float*>(io.scratch);
  for (const Piece& piece : pieces_) {
    call.b = piece.weights.data(), call.start = piece.bias.data(), call.columns = piece.columns;
    call.dst = io.dst + first * io.dst_stride + piece.channel;
    call.residual = io.residual ? io.residual + first * io.residual_stride + piece.channel : nullptr;
    call.offset = 0, call.tiles = higher;
    if (higher > 0) {
      piece.tiles[static_cast<std::size_t>(low)](call);
      const std::int64_t done = higher * (low + 1);
      call.offset = done * call.a_stride, call.dst += done * call.dst_stride;
      if (call.residual) call.residual += done * call.residual_stride;
    }
    call.tiles = tiles - higher;
    piece.tiles[static_cast<std::size_t>(low - 1)](call);
  }
}

}  // namespace tessera
