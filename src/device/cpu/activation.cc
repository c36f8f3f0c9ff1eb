#include "kernels/activation/activation.h"

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class ActivationRows final : public cpu::SameRowsImpl {
 public:
  ActivationRows(const ImplContext& context, ActivateF32* kernel)
      : SameRowsImpl(context), act_(std::get<ActivationAttrs>(context.node->attrs).act), kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const Pixels src = cpu::pixels_from(args.inputs[0], n, begin);
    const MutablePixels dst = cpu::pixels_to(args.output, n, begin);
    std::int64_t pixels = (end - begin) * args.output.w, c = args.output.c;
    if (src.stride == c && dst.stride == c) {  // no gaps: one long run
      c *= pixels;
      pixels = 1;
    }
    for (std::int64_t p = 0; p < pixels; ++p) {
      kernel_(src.data + p * src.stride, dst.data + p * dst.stride, static_cast<std::size_t>(c), act_);
    }
  }

  ActivationSpec act_;
  ActivateF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<ActivationRows>(context, cpu::variant_for(activate_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"activation_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"activation_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"activation_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"activation_scalar", Isa::none, takes_all, make<Isa::none>},
    kActivationReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_activation_impls() { return kImpls; }

}  // namespace tessera
