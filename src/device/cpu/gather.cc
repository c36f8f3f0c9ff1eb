#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/runs.h"
#include "device/cpu/walk.h"
#include "device/reference/reference.h"
#include "kernels/gather/position.h"

namespace tessera {
namespace {

class GatherRuns final : public cpu::ShareImpl {
 public:
  explicit GatherRuns(const ImplContext& context)
      : ShareImpl(cpu::output_elements(context), context.threads),
        attrs_(std::get<GatherAttrs>(context.node->attrs)),
        per_outer_(cpu::output_elements(context) / (attrs_.outer * attrs_.inner)) {}

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto [begin, end] = share(task, attrs_.outer * per_outer_);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t lines = i / per_outer_ * attrs_.axis;  // before this outer place's in the data
      if (attrs_.elements) {
        take_each(lines, i * attrs_.inner, args);
      } else {
        take_run(lines, i, args);
      }
    }
  }

 private:
  void take_run(std::int64_t lines, std::int64_t i, const NodeArgs& args) const noexcept {
    const float index = reference::element(args.inputs[1], i % per_outer_);
    const std::int64_t line = lines + gather_position(index, attrs_.axis);
    cpu::copy_elements(args.inputs[0], line * attrs_.inner, args.output, i * attrs_.inner, attrs_.inner);
  }
  void take_each(std::int64_t lines, std::int64_t first, const NodeArgs& args) const noexcept {
    for (std::int64_t k = 0; k < attrs_.inner; ++k) {
      const std::int64_t line = lines + gather_position(reference::element(args.inputs[1], first + k), attrs_.axis);
      reference::element(args.output, first + k) = reference::element(args.inputs[0], line * attrs_.inner + k);
    }
  }

  GatherAttrs attrs_;
  std::int64_t per_outer_;  ///< places along the axis in the output
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<GatherRuns>(context); }

constexpr NodeImplInfo kImpls[] = {{"gather_runs", Isa::none, takes_all, make}, kGatherReference};

}  // namespace

std::span<const NodeImplInfo> cpu_gather_impls() { return kImpls; }

}  // namespace tessera
