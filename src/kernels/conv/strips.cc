#include "kernels/conv/strips.h"

#include <algorithm>

#include "kernels/round.h"
#include "kernels/share.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;

// Longer sums hide what a tile costs beside them. So do rather shorter ones where a strip visits its pixels once per
// panel, most of all if the outputs leave L2 in between.
constexpr std::int64_t kLongestSum = 256, kLongestOfPanels = 48, kLongestOfFarPanels = 28, kFarBytes = 2 << 20;
// A strip's sources and outputs stay in L1 while the panels pass, and all panels in L2 while the strips do.
constexpr std::int64_t kStripBytes = 24 << 10, kWeightBytes = 128 << 10;
constexpr std::int64_t kFewestTiles = 8;
// Of shorter sums the second visit to a pixel costs more than the products that folding saves.
constexpr std::int64_t kShortestSplit = 64;
// And of shorter ones the parts of 16 channels' sums take longer to add than their loads.
constexpr std::int64_t kShortestJoined = 48;
constexpr std::int64_t kMostKernelRows = 16;

/// Outputs of n whose taps all lie among `in` inputs: those from the first past the padding to the last before it.
std::int64_t first_inside(std::int64_t n, std::int64_t pad, std::int64_t step) {
  return std::min(n, ceil_div(pad, step));
}
std::int64_t end_inside(std::int64_t n, std::int64_t in, std::int64_t reach, std::int64_t pad, std::int64_t step) {
  const std::int64_t last = in - reach + pad;  // where the last one's first tap may lie, from the padding's begin
  return last < 0 ? 0 : std::min(n, last / step + 1);
}

/// The form of folded strips that takes so many channels; null if none does.
const FoldForm* form_of(const ConvShape& s, std::int64_t columns, const MicroKernel& kernel) {
  const FoldForm* form = nullptr;
  for (const FoldForm& candidate : kFoldForms) {
    const bool worth = candidate.vectors == 1 || s.kh * s.kw * s.ic >= kShortestJoined;
    if (kernel.folded[&candidate - kFoldForms][0] && columns <= candidate.columns && worth) form = &candidate;
  }
  return form;
}

/// The next channels of those left: a panel, or whole vectors first where the others can be folded.
std::int64_t columns_of_piece(const ConvShape& s, std::int64_t left, const MicroKernel& kernel) {
  if (left >= kernel.panel_width()) return kernel.panel_width();
  if (s.kh * s.kw * s.ic < kShortestSplit) return left;
  const std::int64_t rest = left % kernel.lanes;
  const FoldForm* form = form_of(s, rest, kernel);
  return left > kernel.lanes && rest > 0 && form && form->vectors == 1 ? left - rest : left;
}

/// Weights [columns][ic][kh][kw] in the order of the form; a run is a row of taps.
void pack_folded(const ConvShape& s, const float* weights, std::int64_t columns, const FoldForm& form,
                 std::int64_t lanes, float* dst) {
  const std::int64_t run = s.kw * s.ic, step = form.vectors * lanes;
  for (std::int64_t ky = 0; ky < s.kh; ++ky, dst += ceil_div(run, form.products) * step) {
    for (std::int64_t k = 0; k < run; ++k) {
      const float* tap = weights + (k % s.ic * s.kh + ky) * s.kw + k / s.ic;
      for (std::int64_t o = 0; o < columns; ++o) {
        dst[k / form.products * step + form.place(o, k % form.products, lanes)] = tap[o * s.ic * s.kh * s.kw];
      }
    }
  }
}

}  // namespace

std::optional<std::string> StripConv::rejects(const ConvShape& s) {
  if (s.groups != 1) return "only groups = 1";
  if (s.kh * s.kw == 1) return s.ic <= kLongestSum ? std::nullopt : std::optional("only few channels");
  return copies_rows(s) && s.kh <= kMostKernelRows ? std::nullopt : std::optional("only 1x1 and few input channels");
}

std::optional<std::string> StripConv::slower(const ConvShape& s, const MicroKernel& kernel) {
  const std::int64_t sum = s.kh * s.kw * s.ic;
  const bool far = 4 * s.oh * s.ow * s.oc > kFarBytes;
  if (framed(s) || s.oh * s.ow < kFewestTiles * kernel.rows) return "few pixels";
  if (s.oc > kernel.panel_width() && sum > (far ? kLongestOfFarPanels : kLongestOfPanels)) {
    return "long sums of many channels";
  }
  if (4 * packed_floats(s.oc, sum, kernel) > kWeightBytes) return "many weights";
  return std::nullopt;
}

StripConv::StripConv(const ConvShape& s, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                     const MicroKernel& kernel, int threads)
    : shape_(s),
      epilogue_(epilogue),
      kernel_(&kernel),
      pointwise_(s.kh * s.kw == 1 && s.sh == 1 && s.sw == 1 && s.pt == 0 && s.pl == 0 && s.oh == s.ih && s.ow == s.iw) {
  const auto inside = [](std::int64_t n, std::int64_t in, std::int64_t reach, std::int64_t pad, std::int64_t step) {
    const Range range{first_inside(n, pad, step), end_inside(n, in, reach, pad, step)};
    return range.from < range.to ? range : Range{};
  };
  inner_x_ = inside(s.ow, s.iw, (s.kw - 1) * s.dw + 1, s.pl, s.sw);
  inner_y_ = inside(s.oh, s.ih, (s.kh - 1) * s.dh + 1, s.pt, s.sh);
  for (std::int64_t channel = 0, columns; channel < s.oc; channel += columns) {
    columns = columns_of_piece(s, s.oc - channel, kernel);
    add_piece(columns, weights + channel * s.kh * s.kw * s.ic, bias ? bias + channel : nullptr);
  }
  const std::int64_t macs = s.mb * s.oh * s.ow * s.oc * s.kh * s.kw * s.ic;
  tasks_ = std::min(worth_tasks(macs, kLeastTaskMacs, threads), s.mb * s.oh * lines_per_row());
}

void StripConv::add_piece(std::int64_t columns, const float* weights, const float* bias) {
  const ConvShape& s = shape_;
  const std::int64_t lanes = kernel_->lanes, vectors = ceil_div(columns, lanes);
  const FoldForm* form = form_of(s, columns, *kernel_);
  const std::int64_t steps = form ? s.kh * ceil_div(s.kw * s.ic, form->products) : s.kh * s.kw * s.ic;
  const std::int64_t step = (form ? form->vectors : vectors) * lanes;
  Piece piece{.channel = pieces_.empty() ? 0 : pieces_.back().channel + pieces_.back().columns,
              .columns = columns,
              .weights = PackedFloats(steps * step),
              .bias = PackedFloats(step)};
  if (form) {
    pack_folded(s, weights, columns, *form, lanes, piece.weights.data());
  } else {
    pack_panels(weights, columns, s.ic, s.kh * s.kw, *kernel_, piece.weights.data());
  }
  for (std::int64_t o = 0; bias && o < columns; ++o) piece.bias.data()[form ? form->place(o, 0, lanes) : o] = bias[o];
  for (std::size_t rows = 0; rows < static_cast<std::size_t>(kernel_->rows); ++rows) {
    piece.tiles[rows] = form ? kernel_->folded[form - kFoldForms][rows] : kernel_->strips[rows][vectors - 1];
  }
  pieces_.push_back(std::move(piece));
}

std::int64_t StripConv::constant_bytes() const noexcept {
  std::int64_t floats = 0;
  for (const Piece& piece : pieces_) floats += piece.weights.size() + piece.bias.size();
  return 4 * floats;
}

// Scratch: a tile of accumulators, the patches of a tile.
std::size_t StripConv::scratch_bytes() const noexcept {
  const std::int64_t patches = pointwise_ ? 0 : kernel_->rows * shape_.kh * shape_.kw * shape_.ic;
  return static_cast<std::size_t>(round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment) + 4 * patches);
}

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

void StripConv::run_lines(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  const bool runs = s.kw == 1 || (operands.src_stride == s.ic && s.dw == 1);
  const std::int64_t accumulators = round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment);
  const Job job{.operands = &operands,
                .source = {.shape = &shape_, .src = operands.src, .stride = operands.src_stride},
                .inner_x = runs ? inner_x_ : Range{},
                .patches = reinterpret_cast<float*>(operands.scratch + accumulators)};
  if (pointwise_) return run_pixels(from, to, job);
  for (std::int64_t lines = 0; from < to; from += lines) {
    const PixelPlace first{.image = from / s.oh, .y = from % s.oh, .x = 0};
    // Lines alike: all above, in or below the inner ones.
    const std::int64_t end = first.y < inner_y_.from ? inner_y_.from : first.y < inner_y_.to ? inner_y_.to : s.oh;
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
  const ConvShape& s = shape_;
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
