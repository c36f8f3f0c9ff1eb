#include "kernels/conv/conv.h"

#include <algorithm>
#include <new>

#include "base/memory.h"
#include "kernels/conv/run_table.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }
constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }

// Below this a task costs less than handing it to another thread (about a microsecond of arithmetic).
constexpr std::int64_t kMinTaskMacs = 100'000;

}  // namespace

PackedFloats::PackedFloats(std::int64_t count)
    : memory_(allocate_zeroed(static_cast<std::size_t>(count) * sizeof(float))), size_(count) {
  if (!memory_) throw std::bad_alloc();
}

Conv::Conv(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
           const MicroKernel& kernel, const Machine& machine)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      k_(shape.kh * shape.kw * shape.ic / shape.groups),
      pixels_(shape.oh * shape.ow),
      tiles_per_image_(ceil_div(pixels_, kernel.rows)),
      tiles_(shape.mb * tiles_per_image_),
      panels_(ceil_div(shape.oc / shape.groups, kernel.panel_width())),
      weights_(shape.groups * packed_floats(shape.oc / shape.groups, k_, kernel)),
      bias_(shape.groups * panels_ * kernel.panel_width()),
      zeros_(shape.ic / shape.groups) {
  const std::int64_t oc = shape.oc / shape.groups, ic = shape.ic / shape.groups;
  for (std::int64_t g = 0; g < shape.groups; ++g) {
    pack_panels(weights + g * oc * k_, oc, ic, shape.kh * shape.kw, kernel,
                weights_.data() + g * packed_floats(oc, k_, kernel));
    if (bias) std::copy_n(bias + g * oc, oc, bias_.data() + g * panels_ * kernel.panel_width());
  }
  choose_split(machine);
}

void Conv::choose_split(const Machine& machine) {
  const std::int64_t macs = shape_.mb * pixels_ * shape_.oc * k_;
  const std::int64_t useful =
      machine.threads <= 1 ? 1 : std::clamp<std::int64_t>(macs / kMinTaskMacs, 1, 4 * machine.threads);
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

// Scratch: one tile of accumulators, then the run table.
std::size_t Conv::scratch_bytes() const noexcept {
  const std::int64_t tile = round_up(4 * kernel_->rows * kernel_->panel_width(), kAlignment);
  return static_cast<std::size_t>(tile) + run_table_bytes(shape_, kernel_->rows);
}

void Conv::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const auto index = static_cast<std::int64_t>(task);
  const std::int64_t split = index % splits_, block = index / splits_ % blocks_, group = index / splits_ / blocks_;
  const std::int64_t end = (split + 1) * tiles_ / splits_;
  for (std::int64_t tile = split * tiles_ / splits_; tile < end; ++tile) run_tile(tile, group, block, operands);
}

void Conv::run_tile(std::int64_t tile, std::int64_t group, std::int64_t block,
                    const ConvOperands& operands) const noexcept {
  const std::int64_t oc = shape_.oc / shape_.groups, ic = shape_.ic / shape_.groups, width = kernel_->panel_width();
  const std::int64_t image = tile / tiles_per_image_, part = tile % tiles_per_image_;
  const std::int64_t begin = part * pixels_ / tiles_per_image_, end = (part + 1) * pixels_ / tiles_per_image_;
  const std::int64_t first = image * pixels_ + begin, rows = end - begin;
  float* accumulators = reinterpret_cast<float*>(operands.scratch);
  const RunTable table = make_run_table({.shape = &shape_,
                                         .src = operands.src + group * ic,
                                         .stride = operands.src_stride,
                                         .zeros = zeros_.data(),
                                         .pitch = kernel_->rows,
                                         .scratch = operands.scratch + round_up(4 * kernel_->rows * width, kAlignment)},
                                        first, rows);
  GemmTile call{.a = table.runs,
                .segments = table.segments,
                .length = table.length,
                .dst_stride = operands.dst_stride,
                .residual_stride = operands.residual_stride,
                .epilogue = &epilogue_,
                .scratch = accumulators};
  const std::int64_t last = std::min(panels_, (block + 1) * panels_per_block_);
  for (std::int64_t panel = block * panels_per_block_; panel < last; ++panel) {
    const std::int64_t channel = panel * width, to = group * oc + channel;
    call.columns = std::min(width, oc - channel);
    call.b = weights_.data() + group * packed_floats(oc, k_, *kernel_) + channel * k_;
    call.start = bias_.data() + group * panels_ * width + channel;
    call.dst = operands.dst + first * operands.dst_stride + to;
    call.residual = operands.residual ? operands.residual + first * operands.residual_stride + to : nullptr;
    kernel_->tiles[rows - 1][ceil_div(call.columns, kernel_->lanes) - 1](call);
  }
}

}  // namespace tessera
