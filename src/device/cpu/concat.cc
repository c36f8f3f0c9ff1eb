#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/copy/copy.h"

namespace tessera {
namespace {

// Copies only the inputs that the planner could not place inside the output: the others are already there.
class ConcatRows final : public cpu::SameRowsImpl {
 public:
  ConcatRows(const ImplContext& context, CopyF32* kernel) : SameRowsImpl(context), kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    MutablePixels dst = cpu::pixels_to(args.output, n, begin);
    std::int64_t channel = 0;
    for (const TensorRef& src : args.inputs) {
      const bool in_place = src.data == args.output.data + channel;
      if (!in_place) kernel_(cpu::pixels_from(src, n, begin), dst, (end - begin) * args.output.w, src.c);
      dst.data += src.c;
      channel += src.c;
    }
  }

  CopyF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<ConcatRows>(context, cpu::variant_for(copy_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"concat_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"concat_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"concat_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"concat_scalar", Isa::none, takes_all, make<Isa::none>},
    kConcatReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_concat_impls() { return kImpls; }

}  // namespace tessera
