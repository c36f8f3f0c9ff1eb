#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/elementwise/elementwise.h"

namespace tessera {
namespace {

class MulRows final : public cpu::SameRowsImpl {
 public:
  MulRows(const ImplContext& context, MulF32* kernel)
      : SameRowsImpl(context), act_(std::get<MulAttrs>(context.node->attrs).act), kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const TensorRef& factors = args.inputs[1];
    const bool one_pixel = factors.h == 1 && factors.w == 1;  // repeated for all pixels of the image
    const bool per_pixel = factors.c == 1 && args.output.c != 1;
    Pixels b = cpu::pixels_from(factors, n, one_pixel ? 0 : begin);
    if (one_pixel) b.stride = 0;
    kernel_(cpu::pixels_from(args.inputs[0], n, begin), b, per_pixel, cpu::pixels_to(args.output, n, begin),
            (end - begin) * args.output.w, args.output.c, act_);
  }

  ActivationSpec act_;
  MulF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<MulRows>(context, cpu::variant_for(mul_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"mul_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"mul_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"mul_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"mul_scalar", Isa::none, takes_all, make<Isa::none>},
    kMulReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_mul_impls() { return kImpls; }

}  // namespace tessera
