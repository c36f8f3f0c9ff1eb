#include "kernels/softmax/softmax.h"

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class SoftmaxRows final : public cpu::SameRowsImpl {
 public:
  SoftmaxRows(const ImplContext& context, SoftmaxF32* kernel) : SameRowsImpl(context), kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    kernel_(cpu::pixels_from(args.inputs[0], n, begin), cpu::pixels_to(args.output, n, begin),
            (end - begin) * args.output.w, args.output.c);
  }

  SoftmaxF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<SoftmaxRows>(context, cpu::variant_for(softmax_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"softmax_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"softmax_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"softmax_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"softmax_scalar", Isa::none, takes_all, make<Isa::none>},
    kSoftmaxReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_softmax_impls() { return kImpls; }

}  // namespace tessera
