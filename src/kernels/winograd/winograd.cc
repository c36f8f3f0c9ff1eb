#include "kernels/winograd/winograd.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
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

constexpr std::int64_t kMinTaskMacs = 300'000;  // see kernels/conv/conv.cc
constexpr std::int64_t kMaxBlockTiles = 96;     // beyond, weights are reused often enough
constexpr std::int64_t kManyTiles = 24;         // from here on longer chunks pay: sums pass through memory less often
constexpr std::int64_t kConflictGap = 16;       // one line: classes a power of two apart would share their cache sets

constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) { return ceil_div(n, to) * to; }

/// How one image is cut, and whether the weights are transformed when preparing.
struct Layout {
  std::int64_t tiles, blocks;
  bool stored;
};

// V and M of a block take most of L2; larger blocks pass over the weights less often. Transformed weights that all
// tiles find in L2 beside V and M are worth storing.
Layout layout_of(const ConvShape& s, const WinogradScheme& scheme, std::int64_t row, std::int64_t width,
                 std::int64_t least, std::int64_t l2_bytes) {
  const std::int64_t tiles = ceil_div(s.oh, scheme.out) * ceil_div(s.ow, scheme.out);
  const std::int64_t fitting = l2_bytes * 11 / 16 / (4 * scheme.elements() * (row + width));
  return {tiles, ceil_div(tiles, std::clamp<std::int64_t>(fitting, least, kMaxBlockTiles)),
          4 * scheme.classes() * s.ic * s.oc <= l2_bytes / 4};
}

constexpr const WinogradScheme* kSchemes[] = {&kWinogradF4, &kWinogradF2, &kWinogradF4Stride2};

/// What rows of a product cost: tiles are equally high, and a row that a tile lacks costs half of one.
double cost_of_rows(std::int64_t rows, const MicroKernel& kernel) {
  return 0.5 * static_cast<double>(rows + round_up(rows, kernel.rows));
}

double cost_of_direct(const ConvShape& s, const MicroKernel& kernel) {
  return 9 * cost_of_rows(s.oh * s.ow, kernel) * static_cast<double>(s.ic * s.oc);
}

/// In the direct sum's products. Fitted to times of YOLO layers from cold caches (testdata/chooser): a product costs a
/// tenth more than in the direct sum, whose operands pass through fewer caches; the transforms of V and M as much as 8
/// products per number; a class of a weight that is transformed in flight as much as one and half a product per lane,
/// since wider vectors speed up its loads and stores less.
double cost_of(const ConvShape& s, const WinogradScheme& scheme, const MicroKernel& kernel, std::int64_t l2_bytes) {
  const Layout layout =
      layout_of(s, scheme, round_up(s.ic, kernel.lanes) + kConflictGap, kernel.panel_width(), kernel.rows, l2_bytes);
  const std::int64_t block = ceil_div(layout.tiles, layout.blocks);
  double rows = 0;
  for (std::size_t c = 0; c < static_cast<std::size_t>(scheme.classes()); ++c) {
    rows += cost_of_rows((scheme.first[c + 1] - scheme.first[c]) * block, kernel);
  }
  rows *= static_cast<double>(layout.tiles) / static_cast<double>(block);
  const double weights = 1 + 0.5 * kernel.lanes;
  const auto classes = static_cast<double>(layout.stored ? 0 : layout.blocks * scheme.classes());
  const auto padded = static_cast<double>(round_up(s.ic, kernel.lanes) + round_up(s.oc, kernel.lanes));
  const auto transformed = static_cast<double>(layout.tiles * scheme.elements()) * padded;
  return 1.1 * ((rows + classes * weights) * static_cast<double>(s.ic * s.oc) + 8 * transformed);
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

/// One block of tiles and where its parts lie in the scratch.
struct Winograd::Block {
  std::int64_t first, tiles;  // tile numbers, through all images
  float *v, *m, *u, *out;
};

/// One panel of output channels.
struct Winograd::Panel {
  std::int64_t channel, columns, width;  // width: columns rounded up to vectors
  const float* weights;
};

Winograd::Winograd(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                   const MicroKernel& kernel, const WinogradTransforms& transforms, const Conv::Machine& machine)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      transforms_(&transforms),
      across_(ceil_div(shape.ow, transforms.scheme->out)),
      down_(ceil_div(shape.oh, transforms.scheme->out)),
      tiles_(across_ * down_),
      row_(round_up(shape.ic, transforms.lanes) + kConflictGap),
      panels_(ceil_div(shape.oc, kernel.panel_width())),
      stored_(layout_of(shape, *transforms.scheme, row_, kernel.panel_width(), kernel.rows, machine.l2_bytes).stored),
      weights_((stored_ ? transforms.scheme->classes() : 9) * packed_floats(shape.oc, shape.ic, kernel)),
      bias_(panels_ * kernel.panel_width()),
      zeros_(std::max(row_, kernel.panel_width())) {
  pack_weights(weights);
  if (bias) std::copy_n(bias, shape.oc, bias_.data());
  choose_splits(machine);
}

// Only splits_ depends on the threads.
void Winograd::choose_splits(const Conv::Machine& machine) {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t width = kernel_->panel_width();
  blocks_per_image_ = layout_of(shape_, scheme, row_, width, kernel_->rows, machine.l2_bytes).blocks;
  block_tiles_ = ceil_div(tiles_, blocks_per_image_);
  blocks_ = shape_.mb * blocks_per_image_;
  const std::int64_t chunks = stored_ ? 1 : ceil_div(shape_.ic, block_tiles_ < kManyTiles ? 64 : 128);
  chunk_ = round_up(ceil_div(shape_.ic, chunks), 4);
  const std::int64_t macs = shape_.mb * tiles_ * scheme.elements() * shape_.ic * shape_.oc;
  const std::int64_t threads = std::clamp<std::int64_t>(macs / kMinTaskMacs, 1, machine.threads);
  splits_ = best_splits(blocks_, panels_, shape_.oc, threads);
}

void Winograd::pack_weights(const float* weights) {
  if (!stored_) return pack_kernels(weights, shape_, *kernel_, weights_.data());
  PackedFloats kernels(9 * packed_floats(shape_.oc, shape_.ic, *kernel_));
  pack_kernels(weights, shape_, *kernel_, kernels.data());
  for (std::int64_t i = 0; i < panels_; ++i) {
    const Panel panel = make_panel(i);
    const std::int64_t before = panel.channel * shape_.ic;
    const std::int64_t stride = shape_.ic * panel.width;
    float* dst = weights_.data() + transforms_->scheme->classes() * before;
    for (std::int64_t row = 0; row < transforms_->scheme->axis_classes; ++row) {
      transforms_->weights(row, kernels.data() + 9 * before, shape_.ic, panel.width, dst, stride);
      dst += transforms_->scheme->axis_classes * stride;
    }
  }
}

// Scratch: V, M, transformed weights, one tile of outputs.
std::size_t Winograd::scratch_bytes() const noexcept {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t width = kernel_->panel_width(), rows = scheme.elements() * block_tiles_;
  const std::int64_t u = stored_ ? 0 : scheme.axis_classes * (chunk_ * width + kConflictGap);
  const std::int64_t floats = rows * (row_ + width) + u + scheme.out * scheme.out * width;
  return static_cast<std::size_t>(4 * round_up(floats, 16));
}

Winograd::Block Winograd::make_block(std::int64_t block, const ConvOperands& operands) const noexcept {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t image = block / blocks_per_image_, part = block % blocks_per_image_;
  const std::int64_t begin = part * tiles_ / blocks_per_image_, end = (part + 1) * tiles_ / blocks_per_image_;
  const std::int64_t width = kernel_->panel_width(), most = scheme.elements() * block_tiles_;
  Block out;
  out.first = image * tiles_ + begin, out.tiles = end - begin;
  out.v = reinterpret_cast<float*>(operands.scratch);
  out.m = out.v + most * row_;
  out.u = out.m + most * width;
  out.out = out.u + (stored_ ? 0 : scheme.axis_classes * (chunk_ * width + kConflictGap));
  return out;
}

Winograd::Panel Winograd::make_panel(std::int64_t panel) const noexcept {
  const std::int64_t channel = panel * kernel_->panel_width(),
                     columns = std::min(kernel_->panel_width(), shape_.oc - channel);
  return {channel, columns, round_up(columns, kernel_->lanes),
          weights_.data() + (stored_ ? transforms_->scheme->classes() : 9) * channel * shape_.ic};
}

void Winograd::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const auto index = static_cast<std::int64_t>(task);
  const std::int64_t split = index % splits_;
  const Block block = make_block(index / splits_, operands);
  transform_inputs(block, operands);
  const std::int64_t end = (split + 1) * panels_ / splits_;
  for (std::int64_t i = split * panels_ / splits_; i < end; ++i) {
    const Panel panel = make_panel(i);
    multiply_panel(block, panel);
    transform_outputs(block, panel, operands);
  }
}

void Winograd::transform_inputs(const Block& block, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t in = transforms_->scheme->in, step = transforms_->scheme->out * transforms_->scheme->stride;
  std::array<const float*, WinogradScheme::kMaxElements> pixels;
  for (std::int64_t t = 0; t < block.tiles; ++t) {
    const std::int64_t tile = block.first + t, image = tile / across_ / down_;
    const std::int64_t top = tile / across_ % down_ * step - s.pt, left = tile % across_ * step - s.pl;
    for (std::int64_t y = top, e = 0; y < top + in; ++y) {
      for (std::int64_t x = left; x < left + in; ++x, ++e) {
        const bool inside = y >= 0 && y < s.ih && x >= 0 && x < s.iw;
        pixels[static_cast<std::size_t>(e)] =
            inside ? operands.src + ((image * s.ih + y) * s.iw + x) * operands.src_stride : zeros_.data();
      }
    }
    transforms_->input(pixels.data(), s.ic, block.v + t * row_, row_ * block.tiles);
  }
}

/// M = V * U of one panel, some input channels at a time.
void Winograd::multiply_panel(const Block& block, const Panel& panel) const noexcept {
  for (std::int64_t first = 0; first < shape_.ic; first += chunk_) {
    multiply_chunk(block, panel, first, std::min(chunk_, shape_.ic - first));
  }
}

/// M (+)= V * U over `count` input channels.
void Winograd::multiply_chunk(const Block& block, const Panel& panel, std::int64_t first,
                              std::int64_t count) const noexcept {
  static constexpr GemmEpilogue kPlain{};
  GemmTile call{.segments = 1,
                .length = count,
                .offset = first,
                .start = first > 0 ? nullptr : zeros_.data(),
                .dst_stride = panel.width,
                .columns = panel.width,
                .epilogue = &kPlain};
  const std::int64_t stride = stored_ ? shape_.ic * panel.width : chunk_ * panel.width + kConflictGap;
  const float* kernels = panel.weights + 9 * first * panel.width;
  // The kernels needed next come from memory while this chunk is multiplied.
  const char* ahead = reinterpret_cast<const char*>(kernels + 9 * count * panel.width);
  const std::int64_t axis = transforms_->scheme->axis_classes;
  const std::int64_t bytes = stored_ ? 0 : ceil_div(4 * 9 * count * panel.width, axis * axis);
  for (std::int64_t row = 0; row < axis; ++row) {
    const float* u = stored_ ? panel.weights + axis * row * stride : block.u;
    if (!stored_) transforms_->weights(row, kernels, count, panel.width, block.u, stride);
    for (std::int64_t x = 0; x < axis; ++x, ahead += bytes) {
      call.b = u + x * stride;
      multiply_class(block, axis * row + x, call, ahead, bytes);
    }
  }
}

/// The tiles of the elements of one class are the rows of a product.
void Winograd::multiply_class(const Block& block, std::int64_t c, GemmTile& call, const char* ahead,
                              std::int64_t bytes) const noexcept {
  const std::int64_t begin = transforms_->scheme->first[static_cast<std::size_t>(c)] * block.tiles;
  const std::int64_t rows = transforms_->scheme->first[static_cast<std::size_t>(c + 1)] * block.tiles - begin;
  const std::int64_t parts = ceil_div(rows, kernel_->rows), vectors = call.columns / kernel_->lanes;
  const bool adds = call.start != zeros_.data();
  const float* v = nullptr;
  call.a = &v, call.a_stride = row_;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t from = begin + part * rows / parts, to = begin + (part + 1) * rows / parts;
    for (std::int64_t at = bytes * part / parts / 64 * 64; at < bytes * (part + 1) / parts; at += 64) {
      __builtin_prefetch(ahead + at, 0, 2);
    }
    v = block.v + from * row_;
    call.dst = block.m + from * call.columns;
    if (adds) call.start = call.dst, call.start_stride = call.columns;
    kernel_->strided[to - from - 1][vectors - 1](call);
  }
}

void Winograd::transform_outputs(const Block& block, const Panel& panel, const ConvOperands& io) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t out = transforms_->scheme->out;
  WinogradOutput call{.element_stride = block.tiles * panel.width,
                      .width = panel.width,
                      .start = bias_.data() + panel.channel,
                      .dst_row = s.ow * io.dst_stride,
                      .dst_stride = io.dst_stride,
                      .columns = panel.columns,
                      .residual_row = s.ow * io.residual_stride,
                      .residual_stride = io.residual_stride,
                      .epilogue = &epilogue_,
                      .scratch = block.out};
  for (std::int64_t t = 0; t < block.tiles; ++t) {
    const std::int64_t tile = block.first + t, image = tile / across_ / down_;
    const std::int64_t top = tile / across_ % down_ * out, left = tile % across_ * out;
    const std::int64_t pixel = (image * s.oh + top) * s.ow + left;
    call.m = block.m + t * panel.width;
    call.rows = std::min(out, s.oh - top), call.across = std::min(out, s.ow - left);
    call.dst = io.dst + pixel * io.dst_stride + panel.channel;
    call.residual = io.residual ? io.residual + pixel * io.residual_stride + panel.channel : nullptr;
    transforms_->output(call);
  }
}

}  // namespace tessera
