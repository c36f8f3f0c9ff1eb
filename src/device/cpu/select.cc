#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/walk.h"
#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class SelectWalk final : public cpu::ShareImpl {
 public:
  explicit SelectWalk(const ImplContext& context)
      : ShareImpl(cpu::output_elements(context), context.threads),
        attrs_(std::get<SelectAttrs>(context.node->attrs)),
        walk_(make_walk(context, attrs_)) {}

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto [begin, end] = share(task, cpu::elements(args.output));
    const TensorRef tensors[] = {args.output, args.inputs[0], args.inputs[1], args.inputs[2]};
    cpu::WalkPlan plan;
    if (!walk_.plan(tensors, plan)) return run_elements(begin, end, args);
    const cpu::WalkSteps step = plan.inner().step;
    cpu::each_run(plan, begin, end, [&](const auto& at, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        at[0][i * step[0]] = at[1][i * step[1]] != 0 ? at[2][i * step[2]] : at[3][i * step[3]];
      }
    });
  }

 private:
  static cpu::Walk make_walk(const ImplContext& context, const SelectAttrs& attrs) {
    const Dims out = cpu::row_major(attrs.dims);
    const cpu::WalkOperand operands[] = {{cpu::output_extents(context).c, out},
                                         {cpu::input_extents(context, 0).c, attrs.c_strides},
                                         {cpu::input_extents(context, 1).c, attrs.a_strides},
                                         {cpu::input_extents(context, 2).c, attrs.b_strides}};
    return {attrs.dims, operands};
  }

  void run_elements(std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept {
    const auto at = [&](std::size_t input, std::int64_t i, const Dims& strides) {
      return reference::element(args.inputs[input], reference::at_place(i, attrs_.dims, strides, 0));
    };
    for (std::int64_t i = begin; i < end; ++i) {
      reference::element(args.output, i) =
          at(0, i, attrs_.c_strides) != 0 ? at(1, i, attrs_.a_strides) : at(2, i, attrs_.b_strides);
    }
  }

  SelectAttrs attrs_;
  cpu::Walk walk_;
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<SelectWalk>(context); }

constexpr NodeImplInfo kImpls[] = {{"select_walk", Isa::none, takes_all, make}, kSelectReference};

}  // namespace

std::span<const NodeImplInfo> cpu_select_impls() { return kImpls; }

}  // namespace tessera
