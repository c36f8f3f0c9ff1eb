#include "kernels/winograd/winograd.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "kernels/round.h"
#include "kernels/share.h"
#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

constexpr Variant<const WinogradIsa> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, &kWinogradAvx512},
    {"avx2", Isa::avx2, &kWinogradAvx2},
#elif defined(TESSERA_NEON)
    {"neon", Isa::neon, &kWinogradNeon},
#endif
    {"scalar", Isa::none, &kWinogradScalar},
};

constexpr std::int64_t kMaxBlockTiles = 96;    // beyond, weights are reused often enough
constexpr std::int64_t kFewestBlockTiles = 6;  // products of fewer rows wait for their own sums
constexpr std::int64_t kMaxStoredTiles = 52;   // half and double cost up to a tenth more
constexpr std::int64_t kChunk = 128;           // channels: beside V and M, L2 has room for the kernels of two chunks
constexpr std::int64_t kL1Bytes = 48 << 10;    // Golden Cove's
constexpr std::int64_t kManyRows = 1000;       // rows of V and M: about 28 tiles of F(4x4, 3x3)
constexpr std::int64_t kConflictGap = 16;      // one line: classes a power of two apart would share their cache sets

/// How one image is cut, and whether the weights are transformed when preparing.
struct Layout {
  std::int64_t tiles, blocks;
  bool stored;
};

// Transformed weights that all tiles find in L2 beside V and M are worth storing. Then blocks are small: V and M pass
// between L1 and L2 soon after they were written. Else V and M take most of L2; larger blocks transform weights less
// often.
Layout layout_of(const ConvShape& s, const WinogradScheme& scheme, const MicroKernel& kernel, std::int64_t l2_bytes) {
  const std::int64_t tiles = ceil_div(s.oh, scheme.out) * ceil_div(s.ow, scheme.out);
  const std::int64_t floats = scheme.elements() * (round_up(s.ic, kWinogradBlock) + kernel.panel_width());
  const std::int64_t fitting = l2_bytes * 11 / 16 / (4 * floats);
  const bool stored = 4 * scheme.classes() * s.ic * s.oc <= l2_bytes * 5 / 16;
  const std::int64_t most = std::clamp<std::int64_t>(fitting, kernel.rows, stored ? kMaxStoredTiles : kMaxBlockTiles);
  return {tiles, ceil_div(tiles, most), stored};
}

constexpr const WinogradScheme* kSchemes[] = {&kWinogradF4, &kWinogradF2, &kWinogradF4Stride2};

/// Tiles are equally high, and a row that a tile lacks costs half of one.
double cost_of_direct(const ConvShape& s, const MicroKernel& kernel) {
  const std::int64_t rows = s.oh * s.ow;
  return 4.5 * static_cast<double>((rows + round_up(rows, kernel.rows)) * s.ic * s.oc);
}

/// In the direct sum's products. Fitted to times of YOLO layers from cold caches (testdata/chooser), where wider
/// vectors speed up loads and stores less than arithmetic: a product costs 4 to 14 % more than in the direct sum, whose
/// operands pass through fewer caches, and fewer than four rows wait for their own sums; a transform of V or M costs as
/// much per number as 4.3 products and 0.4 per lane, a class of a weight that is transformed in flight 0.4 per lane.
double cost_of(const ConvShape& s, const WinogradScheme& scheme, const MicroKernel& kernel, std::int64_t l2_bytes) {
  const Layout layout = layout_of(s, scheme, kernel, l2_bytes);
  const auto rows = static_cast<double>(std::max<std::int64_t>(layout.tiles, 4) * scheme.elements());
  const auto classes = static_cast<double>(layout.stored ? 0 : layout.blocks * scheme.classes());
  const auto padded = static_cast<double>(round_up(s.ic, kWinogradBlock) + round_up(s.oc, kernel.lanes));
  const double transformed = static_cast<double>(layout.tiles * scheme.elements()) * padded;
  return ((1.04 + 0.006 * kernel.lanes) * rows + 0.4 * kernel.lanes * classes) * static_cast<double>(s.ic * s.oc) +
         (4.3 + 0.4 * kernel.lanes) * transformed;
}

/// Into how many ranges of panels a block is best cut for `threads`: each transforms the block's inputs again, which
/// takes about 8 / oc of the time of its products.
std::int64_t best_splits(std::int64_t blocks, std::int64_t panels, std::int64_t oc, std::int64_t threads) {
  const auto cost = [&](std::int64_t splits) {
    const double share = static_cast<double>(ceil_div(panels, splits)) / static_cast<double>(panels);
    return static_cast<double>(ceil_div(blocks * splits, threads)) * (share + 8.0 / static_cast<double>(oc));
  };
  std::int64_t best = 1;
  for (std::int64_t splits = 2; splits <= std::min(panels, 4 * threads); ++splits) {
    if (cost(splits) < cost(best)) best = splits;
  }
  return best;
}

/// [panel][ic][3][3][width]: each tap is a channel of its own to the packing, so that the taps of one stay together.
void pack_kernels(const float* weights, const ConvShape& s, const MicroKernel& kernel, float* dst) {
  pack_panels(weights, s.oc, 9 * s.ic, 1, kernel, dst);
}

}  // namespace

std::span<const Variant<const WinogradIsa>> winograd_variants() { return kVariants; }

std::optional<std::string> Winograd::rejects(const ConvShape& s, const WinogradScheme& scheme) {
  if (s.kh != 3 || s.kw != 3 || s.sh != scheme.stride || s.sw != scheme.stride || s.dh != 1 || s.dw != 1) {
    return scheme.stride == 1 ? "only 3x3 stride 1" : "only 3x3 stride 2";
  }
  if (s.groups != 1) return "only one group";
  return std::nullopt;
}

std::optional<std::string> Winograd::slower(const ConvShape& s, const WinogradScheme& scheme, const MicroKernel& kernel,
                                            std::int64_t l2_bytes) {
  const double direct = cost_of_direct(s, kernel);
  const double own = cost_of(s, scheme, kernel, l2_bytes);
  if (own > direct) return text("would take ", std::llround(100 * own / direct), " % of the direct sum's time");
  for (const WinogradScheme* other : kSchemes) {
    if (other->stride != scheme.stride) continue;
    const double share = own / cost_of(s, *other, kernel, l2_bytes);
    if (share > 1) return text("would take ", std::llround(100 * share), " % of ", other->name, "'s time");
  }
  return std::nullopt;
}

Winograd::Winograd(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                   const MicroKernel& kernel, const WinogradTransforms& transforms, const Conv::Machine& machine)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      transforms_(&transforms),
      across_(ceil_div(shape.ow, transforms.scheme->out)),
      down_(ceil_div(shape.oh, transforms.scheme->out)),
      tiles_(across_ * down_),
      panels_(ceil_div(shape.oc, kernel.panel_width())),
      stored_(layout_of(shape, *transforms.scheme, kernel, machine.l2_bytes).stored),
      weights_(pack_weights(weights, machine.source)),
      bias_(panels_ * kernel.panel_width()),
      zeros_(std::max(round_up(shape.ic, kWinogradBlock), kernel.panel_width())) {
  if (bias) std::copy_n(bias, shape.oc, bias_.data());
  choose_tasks(machine);
  choose_pieces();
}

// In L1: a row of U, the kernels it is made of, a row of M. With many tiles M alone would fill it, and transforms cost
// little beside their products: then a row is made of so many channels at once that M passes by seldom.
void Winograd::choose_pieces() {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t width = kernel_->panel_width(), chunks = stored_ ? 1 : ceil_div(shape_.ic, kChunk);
  chunk_ = round_up(ceil_div(shape_.ic, chunks), kWinogradBlock);
  const std::int64_t row = 4 * scheme.in * block_tiles_ * width, channel = 4 * (scheme.axis_classes + 9) * width;
  const std::int64_t fitting = (kL1Bytes - row) / channel / kWinogradBlock * kWinogradBlock;
  const bool many = scheme.elements() * block_tiles_ >= kManyRows;
  piece_ = stored_ || many ? chunk_ : std::clamp(fitting, kWinogradBlock, chunk_);
  u_stride_ = piece_ * width + kConflictGap;
}

// No bit depends on the cut: every sum is one chain. Where weights are stored a block more costs nothing, and each
// thread finds its inputs, rows that it made itself, in its own cache; else threads share a block's panels.
void Winograd::choose_tasks(const Conv::Machine& machine) {
  const std::int64_t macs = shape_.mb * tiles_ * transforms_->scheme->elements() * shape_.ic * shape_.oc;
  const std::int64_t threads = std::clamp<std::int64_t>(macs / kLeastTaskMacs, 1, machine.threads);
  blocks_per_image_ = layout_of(shape_, *transforms_->scheme, *kernel_, machine.l2_bytes).blocks;
  if (stored_) {
    const std::int64_t wanted = std::min(ceil_div(threads, shape_.mb), tiles_ / kFewestBlockTiles);
    blocks_per_image_ = std::max(blocks_per_image_, wanted);
  }
  block_tiles_ = ceil_div(tiles_, blocks_per_image_);
  blocks_ = shape_.mb * blocks_per_image_;
  splits_ = best_splits(blocks_, panels_, shape_.oc, threads);
}

PackedFloats Winograd::pack_weights(const float* weights, PackedSource* source) const {
  const std::int64_t classes = stored_ ? transforms_->scheme->classes() : 9;
  const PackedRecipe recipe{.weights = {weights, static_cast<std::size_t>(9 * shape_.oc * shape_.ic)},
                            .layout = {shape_.oc, shape_.ic, kernel_->panel_width(), kernel_->lanes, classes, stored_},
                            .count = classes * packed_floats(shape_.oc, shape_.ic, *kernel_)};
  return packed(source, recipe, [&](float* dst) {
    if (stored_) return store_transformed(weights, dst);
    pack_kernels(weights, shape_, *kernel_, dst);
  });
}

void Winograd::store_transformed(const float* weights, float* dst) const {
  PackedFloats kernels(9 * packed_floats(shape_.oc, shape_.ic, *kernel_));
  pack_kernels(weights, shape_, *kernel_, kernels.data());
  const float* src = kernels.data();
  for (std::int64_t channel = 0; channel < shape_.oc; channel += kernel_->panel_width()) {
    const std::int64_t columns = std::min(kernel_->panel_width(), shape_.oc - channel);
    const std::int64_t width = round_up(columns, kernel_->lanes), stride = shape_.ic * width;
    for (std::int64_t row = 0; row < transforms_->scheme->axis_classes; ++row) {
      transforms_->weights(row, src, shape_.ic, width, dst, stride);
      dst += transforms_->scheme->axis_classes * stride;
    }
    src += 9 * stride;
  }
}

// Scratch: V, M, transformed weights, one tile of outputs.
std::size_t Winograd::scratch_bytes() const noexcept {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t width = kernel_->panel_width(), rows = scheme.elements() * block_tiles_;
  const std::int64_t u = stored_ ? 0 : scheme.axis_classes * u_stride_;
  const std::int64_t floats =
      rows * (round_up(shape_.ic, kWinogradBlock) + width) + u + scheme.out * scheme.out * width;
  return static_cast<std::size_t>(4 * round_up(floats, 16));
}

Winograd::Panel Winograd::make_panel(std::int64_t panel) const noexcept {
  const std::int64_t channel = panel * kernel_->panel_width(),
                     columns = std::min(kernel_->panel_width(), shape_.oc - channel);
  return {channel, columns, round_up(columns, kernel_->lanes),
          weights_.data() + (stored_ ? transforms_->scheme->classes() : 9) * channel * shape_.ic};
}

}  // namespace tessera
