#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/function/function.h"

namespace tessera {
namespace {

class UnaryRows final : public cpu::SameRowsImpl {
 public:
  UnaryRows(const ImplContext& context, UnaryF32* kernel)
      : SameRowsImpl(context), attrs_(std::get<UnaryAttrs>(context.node->attrs)), kernel_(kernel) {}

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
      kernel_(attrs_.kind, attrs_.alpha, attrs_.beta, src.data + p * src.stride, dst.data + p * dst.stride, c);
    }
  }

  UnaryAttrs attrs_;
  UnaryF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<UnaryRows>(context, cpu::variant_for(unary_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"unary_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"unary_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"unary_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"unary_scalar", Isa::none, takes_all, make<Isa::none>},
    kUnaryReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_unary_impls() { return kImpls; }

}  // namespace tessera
