#include "kernels/conv/conv.h"

#include <algorithm>

#include "kernels/conv/run_table.h"
#include "kernels/round.h"
#include "kernels/share.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;

}  // namespace

Conv::Cut::Cut(std::int64_t pixels, std::int64_t most)
    : tiles(ceil_div(pixels, most)), height(pixels / tiles), higher(pixels % tiles) {}

Conv::Conv(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
           const MicroKernel& kernel, const Machine& machine)
    : shape_(shape),
      frame_(framed(shape)),
      epilogue_(epilogue),
      kernel_(&kernel),
      k_(shape.kh * shape.kw * shape.ic / shape.groups),
      pixels_(shape.oh * shape.ow),
      cut_(pixels_, kernel.rows),
      tiles_(shape.mb * cut_.tiles),
      panels_(ceil_div(shape.oc / shape.groups, kernel.panel_width())),
      group_floats_(packed_floats(shape.oc / shape.groups, k_, kernel)),
      last_vectors_(ceil_div(shape.oc / shape.groups - (panels_ - 1) * kernel.panel_width(), kernel.lanes)),
      weights_(pack_weights(weights, machine.source)),
      bias_(shape.groups * panels_ * kernel.panel_width()),
      zeros_(shape.ic / shape.groups) {
  const std::int64_t oc = shape.oc / shape.groups;
  for (std::int64_t g = 0; bias && g < shape.groups; ++g) {
    std::copy_n(bias + g * oc, oc, bias_.data() + g * panels_ * kernel.panel_width());
  }
  choose_split(machine);
}

PackedFloats Conv::pack_weights(const float* weights, PackedSource* source) const {
  const std::int64_t oc = shape_.oc / shape_.groups, ic = shape_.ic / shape_.groups, taps = shape_.kh * shape_.kw;
  const PackedRecipe recipe{.weights = {weights, static_cast<std::size_t>(shape_.oc * k_)},
                            .layout = {shape_.groups, oc, ic, taps, kernel_->panel_width(), kernel_->lanes},
                            .count = shape_.groups * group_floats_};
  return packed(source, recipe, [&](float* dst) {
    for (std::int64_t g = 0; g < shape_.groups; ++g) {
      pack_panels(weights + g * oc * k_, oc, ic, taps, *kernel_, dst + g * group_floats_);
    }
  });
}

void Conv::choose_split(const Machine& machine) {
  const std::int64_t macs = shape_.mb * pixels_ * shape_.oc * k_;
  const std::int64_t useful = worth_tasks(macs, kLeastTaskMacs, machine.threads);
  // Half of L2 for a block of weights: the other half is for what streams past it.
  const std::int64_t panel_bytes = 4 * k_ * kernel_->panel_width();
  std::int64_t blocks = ceil_div(panels_, std::max<std::int64_t>(1, machine.l2_bytes / 2 / panel_bytes));
  // Few tiles and many channels: split the channels instead, so that each weight is read by one thread.
  const std::int64_t per_group = ceil_div(useful, shape_.groups);
  blocks = std::clamp(ceil_div(per_group, tiles_), blocks, panels_);
  panels_per_block_ = ceil_div(panels_, blocks);
  blocks_ = ceil_div(panels_, panels_per_block_);
  splits_ = std::clamp<std::int64_t>(ceil_div(useful, shape_.groups * blocks_), 1, tiles_);
}

// Scratch: one tile of accumulators, the run table, the framed image.
std::size_t Conv::scratch_bytes() const noexcept {
  const std::int64_t tile = round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment);
  const std::size_t frame = frame_ ? static_cast<std::size_t>(4 * frame_->ih * frame_->iw * frame_->ic) : 0;
  return static_cast<std::size_t>(tile) + run_table_bytes(shape_, kernel_->rows) + frame;
}

std::int64_t Conv::constant_bytes() const noexcept { return 4 * (weights_.size() + bias_.size()); }

/// Some pixels times some panels of a group.
struct Conv::Tile {
  PixelPlace place;
  std::int64_t part, first, rows;  // number within the image; pixels through all images
  std::int64_t group, from, to;    // panels
};

void Conv::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const auto index = static_cast<std::int64_t>(task);
  const std::int64_t split = index % splits_, block = index / splits_ % blocks_;
  const std::int64_t begin = split * tiles_ / splits_, end = (split + 1) * tiles_ / splits_;
  Tile tile{.place = {.image = begin / cut_.tiles},
            .part = begin % cut_.tiles,
            .first = 0,
            .rows = 0,
            .group = index / splits_ / blocks_,
            .from = block * panels_per_block_,
            .to = std::min(panels_, (block + 1) * panels_per_block_)};
  const std::int64_t pixel = tile.part * cut_.height + std::min(tile.part, cut_.higher);
  tile.first = tile.place.image * pixels_ + pixel;
  tile.place.advance(shape_, pixel);
  run_tiles(cut_, tile, end - begin, operands);
}

bool Conv::same_sums(const Cut& cut) const noexcept {
  const std::int64_t highest = cut.height + (cut.higher > 0 ? 1 : 0), vectors = kernel_->vectors;
  const auto same = [&](std::int64_t vectors_wide) {
    const int want = sums_of(cut_.height, vectors_wide);
    return sums_of(cut.height, vectors_wide) == want && sums_of(highest, vectors_wide) == want;
  };
  return same(last_vectors_) && (panels_ == 1 || same(vectors));
}

// Several sums also part where a kernel's rows of taps do, and those near the border are cut otherwise.
bool Conv::by_rows() const noexcept {
  const bool one_sum = sums_of(cut_.height, last_vectors_) == 1;
  if (frame_ || shape_.groups != 1 || (shape_.kh * shape_.kw > 1 && !one_sum)) return false;
  for (std::int64_t rows = 1; rows <= shape_.oh; ++rows) {
    if (!same_sums(Cut(rows * shape_.ow, kernel_->rows))) return false;
  }
  return true;
}

void Conv::run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  const Cut cut((to - from) * shape_.ow, kernel_->rows);
  Tile tile{.place = {.image = 0, .y = from, .x = 0},
            .part = 0,
            .first = from * shape_.ow,
            .rows = 0,
            .group = 0,
            .from = 0,
            .to = panels_};
  run_tiles(cut, tile, cut.tiles, operands);
}

// No divisions in the loop: a tile of a few channels is as short as two of them.
void Conv::run_tiles(const Cut& cut, Tile& tile, std::int64_t count, const ConvOperands& operands) const noexcept {
  const std::int64_t ic = shape_.ic / shape_.groups;
  const std::int64_t accumulators = round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment);
  RunSource source{.shape = &shape_,
                   .src = operands.src + tile.group * ic,
                   .stride = operands.src_stride,
                   .zeros = zeros_.data(),
                   .pitch = kernel_->rows,
                   .scratch = operands.scratch + accumulators};
  float* frame = reinterpret_cast<float*>(source.scratch + run_table_bytes(shape_, kernel_->rows));
  std::int64_t in_frame = -1;  // the image that is there
  for (; count > 0; --count) {
    PixelPlace place = tile.place;
    if (frame_) {
      if (in_frame != place.image) {
        const float* image = operands.src + tile.group * ic + place.image * shape_.ih * shape_.iw * operands.src_stride;
        copy_into_frame(shape_, *frame_, image, operands.src_stride, 0, frame_->ih, frame);
        in_frame = place.image;
      }
      source.shape = &*frame_, source.src = frame, source.stride = ic;
      place.image = 0;
    }
    tile.rows = cut.height + (tile.part < cut.higher ? 1 : 0);
    run_tile(tile, make_run_table(source, place, tile.rows), operands);
    tile.first += tile.rows;
    tile.place.advance(shape_, tile.rows);
    if (++tile.part == cut.tiles) tile.part = 0;
  }
}

void Conv::run_tile(const Tile& tile, const RunTable& table, const ConvOperands& operands) const noexcept {
  const std::int64_t oc = shape_.oc / shape_.groups, width = kernel_->panel_width();
  GemmTile call{.a = table.runs,
                .a_stride = table.stride,
                .segments = table.segments,
                .length = table.length,
                .dst_stride = operands.dst_stride,
                .residual_stride = operands.residual_stride,
                .epilogue = &epilogue_,
                .scratch = reinterpret_cast<float*>(operands.scratch)};
  const auto& tiles = (table.stride > 0 ? kernel_->strided : kernel_->tiles)[tile.rows - 1];
  for (std::int64_t panel = tile.from; panel < tile.to; ++panel) {
    const std::int64_t channel = panel * width, to = tile.group * oc + channel;
    call.columns = std::min(width, oc - channel);
    call.b = weights_.data() + tile.group * group_floats_ + channel * k_;
    call.start = bias_.data() + tile.group * panels_ * width + channel;
    call.dst = operands.dst + tile.first * operands.dst_stride + to;
    call.residual = operands.residual ? operands.residual + tile.first * operands.residual_stride + to : nullptr;
    tiles[call.columns == width ? kernel_->vectors - 1 : last_vectors_ - 1](call);
  }
}

}  // namespace tessera
