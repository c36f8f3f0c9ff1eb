// How a prepared Winograd convolution runs: one block of tiles, panel by panel of output channels.

#include <algorithm>
#include <array>

#include "kernels/round.h"
#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

constexpr std::int64_t kLine = 64;  // bytes

}  // namespace

Winograd::Block Winograd::make_block(std::int64_t block, const ConvOperands& operands) const noexcept {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t image = block / blocks_per_image_, part = block % blocks_per_image_;
  const std::int64_t begin = part * tiles_ / blocks_per_image_, end = (part + 1) * tiles_ / blocks_per_image_;
  const std::int64_t width = kernel_->panel_width(), most = scheme.elements() * block_tiles_;
  Block out;
  for (std::size_t c = 0; c < static_cast<std::size_t>(scheme.classes()); ++c) {
    const std::int64_t rows = (scheme.first[c + 1] - scheme.first[c]) * (end - begin);
    const std::int64_t parts = ceil_div(rows, transforms_->products->rows);
    out.cuts[c] = {parts, rows / parts, rows % parts};
  }
  out.first = image * tiles_ + begin, out.tiles = end - begin;
  out.v = reinterpret_cast<float*>(operands.scratch);
  out.m = out.v + most * round_up(shape_.ic, kWinogradBlock);
  out.u = out.m + most * width;
  out.out = out.u + (stored_ ? 0 : scheme.axis_classes * u_stride_);
  return out;
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
  const std::int64_t element = kWinogradBlock * block.tiles;
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
    transforms_->input(pixels.data(), s.ic, block.v + t * kWinogradBlock, element, in * in * element);
  }
}

/// M = V * U of one panel, some input channels at a time.
void Winograd::multiply_panel(const Block& block, const Panel& panel) const noexcept {
  for (std::int64_t chunk = 0; chunk < shape_.ic; chunk += chunk_) {
    const std::int64_t end = std::min(chunk + chunk_, shape_.ic);
    for (std::int64_t row = 0; row < transforms_->scheme->axis_classes; ++row) {
      for (std::int64_t first = chunk; first < end; first += piece_) {
        multiply_piece(block, panel, {row, first, std::min(piece_, end - first)});
      }
    }
  }
}

/// Lines of memory to ask for with every product.
struct Winograd::Lines {
  const char* next;
  std::int64_t count;
  void ask() {
    for (std::int64_t i = 0; i < count; ++i, next += kLine) __builtin_prefetch(next, 0, 2);
  }
};

/// The kernels of the next chunk come from memory while this one is multiplied: evenly, because a core waits for only a
/// few lines at a time.
Winograd::Lines Winograd::lines_ahead(const Block& block, const Panel& panel, const Piece& piece) const noexcept {
  if (stored_) return {nullptr, 0};
  const std::int64_t axis = transforms_->scheme->axis_classes;
  std::int64_t calls = 0;
  for (std::int64_t x = 0; x < axis; ++x) calls += block.cuts[static_cast<std::size_t>(axis * piece.row + x)].parts;
  const std::int64_t share = 9 * piece.count * panel.width / axis;  // floats per row
  const float* next = panel.weights + 9 * (piece.first + chunk_) * panel.width + piece.row * share;
  return {reinterpret_cast<const char*>(next), ceil_div(4 * share, kLine * calls)};
}

void Winograd::multiply_piece(const Block& block, const Panel& panel, const Piece& piece) const noexcept {
  const WinogradScheme& scheme = *transforms_->scheme;
  const std::int64_t c = scheme.axis_classes * piece.row, stride = stored_ ? shape_.ic * panel.width : u_stride_;
  const std::int64_t begin = scheme.first[static_cast<std::size_t>(c)] * block.tiles;
  WinogradProduct call{.v_step = scheme.elements() * block.tiles * kWinogradBlock,
                       .u = stored_ ? panel.weights + c * stride : block.u,
                       .channels = piece.count,
                       .m = block.m + begin * panel.width,
                       .adds = piece.first > 0};
  call.v = block.v + piece.first / kWinogradBlock * call.v_step + begin * kWinogradBlock;
  if (!stored_) {
    const float* kernels = panel.weights + 9 * piece.first * panel.width;
    transforms_->weights(piece.row, kernels, piece.count, panel.width, block.u, stride);
  }
  Lines ahead = lines_ahead(block, panel, piece);
  for (std::int64_t x = 0; x < scheme.axis_classes; ++x, call.u += stride) {
    multiply_class(block.cuts[static_cast<std::size_t>(c + x)], panel.width, call, ahead);
  }
}

/// The tiles of the elements of one class are the rows of a product. Leaves v and m behind them.
void Winograd::multiply_class(const Cut& cut, std::int64_t width, WinogradProduct& call, Lines& ahead) const noexcept {
  const std::int64_t vectors = width / kernel_->lanes;
  for (std::int64_t part = 0; part < cut.parts; ++part) {
    const std::int64_t rows = cut.rows + (part < cut.higher ? 1 : 0);
    ahead.ask();
    transforms_->products->tiles[rows - 1][vectors - 1](call);
    call.v += rows * kWinogradBlock;
    call.m += rows * width;
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
