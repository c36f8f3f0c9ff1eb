#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/strips.h"
#include "device/cpu/walk.h"
#include "device/reference/linear.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation.h"
#include "kernels/function/function.h"

namespace tessera {
namespace {

class BinaryWalk final : public cpu::ShareImpl {
 public:
  BinaryWalk(const ImplContext& context, BinaryF32* kernel, ActivateF32* activate)
      : ShareImpl(cpu::output_elements(context), context.threads),
        attrs_(std::get<BinaryAttrs>(context.node->attrs)),
        walk_(make_walk(context, attrs_)),
        kernel_(kernel),
        activate_(activate) {}

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto [begin, end] = share(task, cpu::elements(args.output));
    const TensorRef tensors[] = {args.output, args.inputs[0], args.inputs[1]};
    cpu::WalkPlan plan;
    if (!walk_.plan(tensors, plan)) return run_elements(begin, end, args);
    const cpu::WalkSteps& step = plan.inner().step;
    cpu::each_run(plan, begin, end, [&](const auto& at, std::int64_t count) {
      cpu::strips<2>(at, step, count, [&](float* dst, const auto& src, const auto& steps, std::int64_t n) {
        kernel_(attrs_.kind, src[0], steps[0], src[1], steps[1], dst, n);
        if (attrs_.act.kind != Activation::linear) activate_(dst, dst, static_cast<std::size_t>(n), attrs_.act);
      });
    });
  }

 private:
  static cpu::Walk make_walk(const ImplContext& context, const BinaryAttrs& attrs) {
    const Dims out = cpu::row_major(attrs.dims);
    const cpu::WalkOperand operands[] = {{cpu::output_extents(context).c, out},
                                         {cpu::input_extents(context, 0).c, attrs.a_strides},
                                         {cpu::input_extents(context, 1).c, attrs.b_strides}};
    return {attrs.dims, operands};
  }

  // Between gaps that the axes do not respect.
  void run_elements(std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
      const float* a = &reference::element(args.inputs[0], reference::at_place(i, attrs_.dims, attrs_.a_strides, 0));
      const float* b = &reference::element(args.inputs[1], reference::at_place(i, attrs_.dims, attrs_.b_strides, 0));
      float* dst = &reference::element(args.output, i);
      kernel_(attrs_.kind, a, 0, b, 0, dst, 1);
      activate_(dst, dst, 1, attrs_.act);
    }
  }

  BinaryAttrs attrs_;
  cpu::Walk walk_;
  BinaryF32* kernel_;
  ActivateF32* activate_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<BinaryWalk>(context, cpu::variant_for(binary_f32_variants(), isa),
                                      cpu::variant_for(activate_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"binary_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"binary_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"binary_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"binary_scalar", Isa::none, takes_all, make<Isa::none>},
    kBinaryReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_binary_impls() { return kImpls; }

}  // namespace tessera
