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
constexpr std::int64_t kWeightBytes = 128 << 10;  // all panels stay in L2 while the strips pass
constexpr std::int64_t kFewestTiles = 8;
// Of shorter sums the second visit to a pixel costs more than the products that folding saves.
constexpr std::int64_t kShortestSplit = 64;
// And of shorter ones the parts of 16 channels' sums take longer to add than their loads.
constexpr std::int64_t kShortestJoined = 48;

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
  if (s.oh * s.ow < kFewestTiles * kernel.rows) return "few pixels";
  if (framed(s) && s.ow < kernel.rows) return "short lines";  // of a small image: tiles of several are higher
  if (s.oc > kernel.panel_width() && sum > (far ? kLongestOfFarPanels : kLongestOfPanels)) {
    return "long sums of many channels";
  }
  if (4 * packed_floats(s.oc, sum, kernel) > kWeightBytes) return "many weights";
  return std::nullopt;
}

StripConv::StripConv(const ConvShape& s, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                     const MicroKernel& kernel, int threads)
    : shape_(s),
      frame_(framed(s)),
      source_(frame_.value_or(s)),
      epilogue_(epilogue),
      kernel_(&kernel),
      pointwise_(s.kh * s.kw == 1 && s.sh == 1 && s.sw == 1 && s.pt == 0 && s.pl == 0 && s.oh == s.ih && s.ow == s.iw) {
  const auto inside = [](std::int64_t n, std::int64_t in, std::int64_t reach, std::int64_t pad, std::int64_t step) {
    const Range range{first_inside(n, pad, step), end_inside(n, in, reach, pad, step)};
    return range.from < range.to ? range : Range{};
  };
  inner_x_ = inside(s.ow, source_.iw, (s.kw - 1) * s.dw + 1, source_.pl, s.sw);
  inner_y_ = inside(s.oh, source_.ih, (s.kh - 1) * s.dh + 1, source_.pt, s.sh);
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

StripConv::Scratch StripConv::scratch() const noexcept {
  const std::int64_t patches = pointwise_ ? 0 : kernel_->rows * shape_.kh * shape_.kw * shape_.ic;
  const std::int64_t frame = frame_ ? frame_->ih * frame_->iw * frame_->ic : 0;
  Scratch out;
  out.patches = round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment);
  out.frame = out.patches + round_up(4 * patches, kAlignment);
  out.bytes = out.frame + 4 * frame;
  return out;
}

}  // namespace tessera
