#include <cstring>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/runs.h"
#include "device/cpu/walk.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr std::int64_t kTile = 16;  // a cache line each way: every line read is used up before it is dropped

// dst[i] = src[i * step].
void copy_run(float* dst, std::int64_t dst_step, const float* src, std::int64_t src_step, std::int64_t count) {
  if (dst_step == 1 && src_step == 1 && count >= 16) {  // below, the call costs more than the loop
    std::memcpy(dst, src, static_cast<std::size_t>(count) * sizeof(float));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) dst[i * dst_step] = src[i * src_step];
}

// A plan whose innermost axis steps far in the input while another one steps by 1: that one comes next to it, cut into
// tiles, so that a transpose walks both sides by cache lines. Order does not matter to a copy.
struct Tiles {
  cpu::WalkPlan outer;  ///< the axes left over, then the tiles
  cpu::WalkAxis along, inner;
};

int unit_axis(const cpu::WalkPlan& plan) {
  if (plan.inner().step[1] == 1 || plan.inner().step[1] == 0) return -1;
  for (int i = plan.count - 1; i-- > 0;) {
    const cpu::WalkAxis& axis = plan.axes[static_cast<std::size_t>(i)];
    if (axis.step[1] == 1 && axis.extent >= 4) return i;
  }
  return -1;
}

Tiles cut(const cpu::WalkPlan& plan, int unit) {
  Tiles out{.outer = plan, .along = plan.axes[static_cast<std::size_t>(unit)], .inner = plan.inner()};
  out.outer.count = 0;
  for (int i = 0; i + 1 < plan.count; ++i) {
    if (i == unit) continue;
    out.outer.axes[static_cast<std::size_t>(out.outer.count++)] = plan.axes[static_cast<std::size_t>(i)];
  }
  cpu::WalkAxis tiles = out.along;
  tiles.extent = (out.along.extent + kTile - 1) / kTile;
  for (std::int64_t& step : tiles.step) step *= kTile;
  out.outer.axes[static_cast<std::size_t>(out.outer.count++)] = tiles;
  return out;
}

// One strip of the transpose: `rows` places of the axis that is adjacent in the input, all of the innermost.
void copy_strip(const Tiles& tiles, float* dst, const float* src, std::int64_t rows) {
  const std::int64_t dst_row = tiles.along.step[0], dst_step = tiles.inner.step[0], src_step = tiles.inner.step[1];
  for (std::int64_t first = 0; first < tiles.inner.extent; first += kTile) {
    const std::int64_t n = std::min(kTile, tiles.inner.extent - first);
    for (std::int64_t r = 0; r < rows; ++r) {
      float* to = dst + r * dst_row + first * dst_step;
      const float* from = src + r + first * src_step;
      for (std::int64_t i = 0; i < n; ++i) to[i * dst_step] = from[i * src_step];
    }
  }
}

class RearrangeWalk final : public cpu::ShareImpl {
 public:
  explicit RearrangeWalk(const ImplContext& context)
      : ShareImpl(cpu::output_elements(context), context.threads),
        attrs_(std::get<RearrangeAttrs>(context.node->attrs)),
        walk_(make_walk(context, attrs_)) {}

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const TensorRef tensors[] = {args.output, args.inputs[0]};
    cpu::WalkPlan plan;
    if (!walk_.plan(tensors, plan)) return run_elements(task, args);
    if (const int unit = unit_axis(plan); unit >= 0) return run_tiles(task, cut(plan, unit));
    const auto [begin, end] = share(task, cpu::elements(args.output));
    const cpu::WalkSteps step = plan.inner().step;
    cpu::each_run(plan, begin, end,
                  [&](const auto& at, std::int64_t count) { copy_run(at[0], step[0], at[1], step[1], count); });
  }

 private:
  static cpu::Walk make_walk(const ImplContext& context, const RearrangeAttrs& attrs) {
    const Dims out = cpu::row_major(attrs.dims);
    const cpu::WalkOperand operands[] = {{cpu::output_extents(context).c, out},
                                         {cpu::input_extents(context, 0).c, attrs.strides, attrs.offset}};
    return {attrs.dims, operands};
  }

  void run_tiles(std::size_t task, const Tiles& tiles) const noexcept {
    const auto [begin, end] = share(task, tiles.outer.places());
    const std::int64_t per_line = tiles.outer.inner().extent, last = tiles.along.extent - (per_line - 1) * kTile;
    std::int64_t place = begin;
    cpu::each_run(tiles.outer, begin, end, [&](const auto& at, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i, ++place) {
        const std::int64_t rows = place % per_line == per_line - 1 ? last : kTile;
        copy_strip(tiles, at[0] + i * tiles.outer.inner().step[0], at[1] + i * kTile, rows);
      }
    });
  }

  // Between gaps that the axes do not respect.
  void run_elements(std::size_t task, const NodeArgs& args) const noexcept {
    const auto [begin, end] = share(task, cpu::elements(args.output));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = reference::at_place(i, attrs_.dims, attrs_.strides, attrs_.offset);
      reference::element(args.output, i) = reference::element(args.inputs[0], from);
    }
  }

  RearrangeAttrs attrs_;
  cpu::Walk walk_;
};

class ReshapeRuns final : public cpu::ShareImpl {
 public:
  explicit ReshapeRuns(const ImplContext& context) : ShareImpl(cpu::output_elements(context), context.threads) {}
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto [begin, end] = share(task, cpu::elements(args.output));
    cpu::copy_elements(args.inputs[0], begin, args.output, begin, end - begin);
  }
};

std::unique_ptr<NodeImpl> make_rearrange(const ImplContext& context) {
  return std::make_unique<RearrangeWalk>(context);
}
std::unique_ptr<NodeImpl> make_reshape(const ImplContext& context) { return std::make_unique<ReshapeRuns>(context); }

constexpr NodeImplInfo kRearrange[] = {{"rearrange_walk", Isa::none, takes_all, make_rearrange}, kRearrangeReference};
constexpr NodeImplInfo kReshape[] = {{"reshape_runs", Isa::none, takes_all, make_reshape}, kReshapeReference};

}  // namespace

std::span<const NodeImplInfo> cpu_rearrange_impls() { return kRearrange; }
std::span<const NodeImplInfo> cpu_reshape_impls() { return kReshape; }

}  // namespace tessera
