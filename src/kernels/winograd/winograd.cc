#include "kernels/winograd/winograd.h"

#include <algorithm>
#include <array>

#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

constexpr Variant<const WinogradTransforms> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, &kWinogradAvx512},
    {"avx2", Isa::avx2, &kWinogradAvx2},
#elif defined(TESSERA_NEON)
    {"neon", Isa::neon, &kWinogradNeon},
#endif
    {"scalar", Isa::none, &kWinogradScalar},
};

constexpr std::int64_t kMinTaskMacs = 100'000;    // about a microsecond
constexpr std::int64_t kCachedWeights = 4 << 20;  // what stays in L2 or close to it
constexpr std::int64_t kMaxBlockTiles = 48;       // beyond, weights are reused often enough

constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) { return ceil_div(n, to) * to; }

/// out = G g: three numbers become six. G has the rows (1/4 0 0), -(1/6 1/6 1/6), -(1/6 -1/6 1/6), (1/24 1/12 1/6),
/// (1/24 -1/12 1/6), (0 0 1).
std::array<double, 6> weight_column(double g0, double g1, double g2) {
  const double outer = (g0 + g2) / 6, inner = g1 / 6, half = g0 / 24 + g2 / 6, twelfth = g1 / 12;
  return {g0 / 4, -outer - inner, -outer + inner, half + twelfth, half - twelfth, g2};
}

/// U = G g G^T of one 3 x 3 kernel, rounded once.
std::array<float, kWinogradElements> transformed(const float* g) {
  std::array<std::array<double, 6>, 3> columns;  // G g, column by column
  for (std::size_t x = 0; x < 3; ++x) columns[x] = weight_column(g[x], g[3 + x], g[6 + x]);
  std::array<float, kWinogradElements> out;
  for (std::size_t y = 0; y < 6; ++y) {
    const auto line = weight_column(columns[0][y], columns[1][y], columns[2][y]);
    for (std::size_t x = 0; x < 6; ++x) out[y * 6 + x] = static_cast<float>(line[x]);
  }
  return out;
}

}  // namespace

std::span<const Variant<const WinogradTransforms>> winograd_variants() { return kVariants; }

std::optional<std::string> Winograd::rejects(const ConvShape& s) {
  if (s.kh != 3 || s.kw != 3 || s.sh != 1 || s.sw != 1 || s.dh != 1 || s.dw != 1) return "only 3x3 stride 1";
  if (s.groups != 1) return "only one group";
  // The transforms cost about as much as the products of 12 channels on the other side.
  if (s.ic < 24 || s.oc < 24) return "fewer than 24 channels: the transforms cost more than they save";
  // Of one image, so that a batch gets the kernel, and thus the bits, of its images alone. Tiles reach over the edge.
  const std::int64_t tiles = ceil_div(s.oh, 4) * ceil_div(s.ow, 4);
  if (tiles * kWinogradElements * 3 > s.oh * s.ow * 9 * 2 || tiles < 8) return "small image";
  // The weights, four times as many bytes as before, are read once for all tiles: from L3 or memory that takes as long
  // as the products of about 20 tiles.
  if (tiles < 24 && 4 * kWinogradElements * s.ic * s.oc > kCachedWeights) return "small image for its weights";
  return std::nullopt;
}

/// One block of tiles and where its parts lie in the scratch.
struct Winograd::Block {
  std::int64_t first, tiles;  // tile numbers, through all images
  float *v, *m, *out;
  const float** rows;  // [36][tiles]: each tile's row of V
  std::int64_t v_element() const { return stride * tiles; }
  std::int64_t stride;
};

Winograd::Winograd(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                   const MicroKernel& kernel, const WinogradTransforms& transforms, const Conv::Machine& machine)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      transforms_(&transforms),
      across_(ceil_div(shape.ow, kWinogradOut)),
      down_(ceil_div(shape.oh, kWinogradOut)),
      tiles_(across_ * down_),
      row_(round_up(shape.ic, transforms.lanes) + 16),
      panels_(ceil_div(shape.oc, kernel.panel_width())),
      weights_(kWinogradElements * packed_floats(shape.oc, shape.ic, kernel)),
      bias_(panels_ * kernel.panel_width()),
      zeros_(std::max(row_, kernel.panel_width())) {
  transform_weights(weights);
  if (bias) std::copy_n(bias, shape.oc, bias_.data());
  // V takes a bit more than half of L2; larger blocks read the weights less often. Neither depends on the threads.
  const std::int64_t fitting = machine.l2_bytes * 5 / 8 / (4 * kWinogradElements * row_);
  blocks_per_image_ = ceil_div(tiles_, std::clamp<std::int64_t>(fitting, kernel.rows, kMaxBlockTiles));
  block_tiles_ = ceil_div(tiles_, blocks_per_image_);
  blocks_ = shape.mb * blocks_per_image_;
  const std::int64_t macs = shape.mb * tiles_ * kWinogradElements * shape.ic * shape.oc;
  const std::int64_t useful = std::clamp<std::int64_t>(macs / kMinTaskMacs, 1, 2 * machine.threads);
  // Splitting the channels of a block transforms its inputs again: only as far as there are idle threads.
  if (machine.threads > 1) splits_ = std::clamp<std::int64_t>(ceil_div(useful, blocks_), 1, panels_);
}

void Winograd::transform_weights(const float* weights) {
  const std::int64_t ic = shape_.ic, width = kernel_->panel_width();
  std::vector<float> elements(static_cast<std::size_t>(kWinogradElements * width * ic));  // [36][oc of a panel][ic]
  for (std::int64_t panel = 0; panel < panels_; ++panel) {
    const std::int64_t first = panel * width, count = std::min(width, shape_.oc - first);
    for (std::int64_t i = 0; i < count * ic; ++i) {
      const auto u = transformed(weights + (first * ic + i) * 9);
      for (std::size_t e = 0; e < u.size(); ++e) elements[e * static_cast<std::size_t>(count * ic) + i] = u[e];
    }
    float* dst = weights_.data() + kWinogradElements * first * ic;
    for (std::int64_t e = 0; e < kWinogradElements; ++e, dst += packed_floats(count, ic, *kernel_)) {
      pack_panels(elements.data() + e * count * ic, count, ic, 1, *kernel_, dst);
    }
  }
}

// Scratch: V, M, one tile of outputs, row pointers.
std::size_t Winograd::scratch_bytes() const noexcept {
  const std::int64_t width = kernel_->panel_width();
  const std::int64_t floats = kWinogradElements * block_tiles_ * (row_ + width) + kWinogradOut * kWinogradOut * width;
  return static_cast<std::size_t>(4 * round_up(floats, 16)) +
         static_cast<std::size_t>(kWinogradElements * block_tiles_) * sizeof(float*);
}

Winograd::Block Winograd::make_block(std::int64_t block, const ConvOperands& operands) const noexcept {
  const std::int64_t image = block / blocks_per_image_, part = block % blocks_per_image_;
  const std::int64_t begin = part * tiles_ / blocks_per_image_, end = (part + 1) * tiles_ / blocks_per_image_;
  const std::int64_t tiles = end - begin, width = kernel_->panel_width();
  float* v = reinterpret_cast<float*>(operands.scratch);
  float* m = v + kWinogradElements * block_tiles_ * row_;
  float* out = m + kWinogradElements * block_tiles_ * width;
  const std::int64_t floats = out + kWinogradOut * kWinogradOut * width - v;
  const auto rows = reinterpret_cast<const float**>(operands.scratch + 4 * round_up(floats, 16));
  for (std::int64_t i = 0; i < kWinogradElements * tiles; ++i) rows[i] = v + i * row_;
  return {image * tiles_ + begin, tiles, v, m, out, rows, row_};
}

void Winograd::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const auto index = static_cast<std::int64_t>(task);
  const std::int64_t split = index % splits_;
  const Block block = make_block(index / splits_, operands);
  transform_inputs(block, operands);
  const std::int64_t end = (split + 1) * panels_ / splits_;
  for (std::int64_t panel = split * panels_ / splits_; panel < end; ++panel) {
    multiply(block, panel);
    transform_outputs(block, panel, operands);
  }
}

void Winograd::transform_inputs(const Block& block, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  std::array<const float*, kWinogradElements> pixels;
  for (std::int64_t t = 0; t < block.tiles; ++t) {
    const std::int64_t tile = block.first + t, image = tile / across_ / down_;
    const std::int64_t top = tile / across_ % down_ * kWinogradOut - s.pt, left = tile % across_ * kWinogradOut - s.pl;
    for (std::int64_t e = 0; e < kWinogradElements; ++e) {
      const std::int64_t y = top + e / kWinogradIn, x = left + e % kWinogradIn;
      const bool inside = y >= 0 && y < s.ih && x >= 0 && x < s.iw;
      pixels[static_cast<std::size_t>(e)] =
          inside ? operands.src + ((image * s.ih + y) * s.iw + x) * operands.src_stride : zeros_.data();
    }
    transforms_->input(pixels.data(), s.ic, block.v + t * row_, block.v_element());
  }
}

/// M[e] = V[e] * U[e] for one panel: rows are tiles.
void Winograd::multiply(const Block& block, std::int64_t panel) const noexcept {
  static constexpr GemmEpilogue kPlain{};
  const std::int64_t width = kernel_->panel_width(), columns = std::min(width, shape_.oc - panel * width);
  const std::int64_t vectors = ceil_div(columns, kernel_->lanes), parts = ceil_div(block.tiles, kernel_->rows);
  GemmTile call{.segments = 1,
                .length = shape_.ic,
                .start = zeros_.data(),
                .dst_stride = width,
                .columns = vectors * kernel_->lanes,
                .epilogue = &kPlain};
  for (std::int64_t e = 0; e < kWinogradElements; ++e) {
    call.b = weights_.data() + (kWinogradElements * panel * width + e * vectors * kernel_->lanes) * shape_.ic;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t first = part * block.tiles / parts, rows = (part + 1) * block.tiles / parts - first;
      call.a = block.rows + e * block.tiles + first;
      call.dst = block.m + (e * block.tiles + first) * width;
      kernel_->tiles[rows - 1][vectors - 1](call);
    }
  }
}

void Winograd::transform_outputs(const Block& block, std::int64_t panel, const ConvOperands& io) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t panel_width = kernel_->panel_width(), channel = panel * panel_width;
  const std::int64_t columns = std::min(panel_width, s.oc - channel);
  WinogradOutput call{.element_stride = block.tiles * panel_width,
                      .width = round_up(columns, kernel_->lanes),
                      .start = bias_.data() + channel,
                      .dst_row = s.ow * io.dst_stride,
                      .dst_stride = io.dst_stride,
                      .columns = columns,
                      .residual_row = s.ow * io.residual_stride,
                      .residual_stride = io.residual_stride,
                      .epilogue = &epilogue_,
                      .scratch = block.out};
  for (std::int64_t t = 0; t < block.tiles; ++t) {
    const std::int64_t tile = block.first + t, image = tile / across_ / down_;
    const std::int64_t top = tile / across_ % down_ * kWinogradOut, left = tile % across_ * kWinogradOut;
    const std::int64_t pixel = (image * s.oh + top) * s.ow + left;
    call.m = block.m + t * panel_width;
    call.rows = std::min(kWinogradOut, s.oh - top), call.across = std::min(kWinogradOut, s.ow - left);
    call.dst = io.dst + pixel * io.dst_stride + channel;
    call.residual = io.residual ? io.residual + pixel * io.residual_stride + channel : nullptr;
    transforms_->output(call);
  }
}

}  // namespace tessera
