#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/copy/copy.h"

namespace tessera {
namespace {

// Channels [first, first + c) of the input; an identity is the slice of everything. Runs only where the planner made no
// view of it.
class SliceRows final : public cpu::SameRowsImpl {
 public:
  SliceRows(const ImplContext& context, std::int64_t first, CopyF32* kernel)
      : SameRowsImpl(context), first_(first), kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    Pixels src = cpu::pixels_from(args.inputs[0], n, begin);
    src.data += first_;
    kernel_(src, cpu::pixels_to(args.output, n, begin), (end - begin) * args.output.w, args.output.c);
  }

  std::int64_t first_;
  CopyF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make_slice(const ImplContext& context) {
  return std::make_unique<SliceRows>(context, std::get<SliceAttrs>(context.node->attrs).begin,
                                     cpu::variant_for(copy_f32_variants(), isa));
}

template <Isa isa>
std::unique_ptr<NodeImpl> make_identity(const ImplContext& context) {
  return std::make_unique<SliceRows>(context, 0, cpu::variant_for(copy_f32_variants(), isa));
}

constexpr NodeImplInfo kSliceImpls[] = {
#if defined(TESSERA_X86)
    {"slice_avx512", Isa::avx512, takes_all, make_slice<Isa::avx512>},
    {"slice_avx2", Isa::avx2, takes_all, make_slice<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"slice_neon", Isa::neon, takes_all, make_slice<Isa::neon>},
#endif
    {"slice_scalar", Isa::none, takes_all, make_slice<Isa::none>},
    kSliceReference,
};

constexpr NodeImplInfo kIdentityImpls[] = {
#if defined(TESSERA_X86)
    {"identity_avx512", Isa::avx512, takes_all, make_identity<Isa::avx512>},
    {"identity_avx2", Isa::avx2, takes_all, make_identity<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"identity_neon", Isa::neon, takes_all, make_identity<Isa::neon>},
#endif
    {"identity_scalar", Isa::none, takes_all, make_identity<Isa::none>},
    kIdentityReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_slice_impls() { return kSliceImpls; }
std::span<const NodeImplInfo> cpu_identity_impls() { return kIdentityImpls; }

}  // namespace tessera
