#include "kernels/upsample/upsample.h"

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Split by source rows: each makes factor_h output rows.
class UpsampleRows final : public cpu::RowsImpl {
 public:
  UpsampleRows(const UpsampleAttrs& upsample, const Extents& in, int threads, UpsampleRowF32* kernel)
      : RowsImpl(in.n, in.h, in.w * in.c * upsample.factor_h * upsample.factor_w, threads),
        shape_{in.w, in.c, upsample.factor_h, upsample.factor_w, upsample.scale},
        kernel_(kernel) {}

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const std::int64_t output_row = args.output.w * args.output.pixel_stride;
    for (std::int64_t y = begin; y < end; ++y) {
      kernel_(shape_, cpu::pixels_from(args.inputs[0], n, y), cpu::pixels_to(args.output, n, y * shape_.factor_h),
              output_row);
    }
  }

  UpsampleShape shape_;
  UpsampleRowF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<UpsampleRows>(std::get<UpsampleAttrs>(context.node->attrs), cpu::input_extents(context, 0),
                                        context.threads, cpu::variant_for(upsample_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"upsample_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"upsample_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"upsample_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"upsample_scalar", Isa::none, takes_all, make<Isa::none>},
    kUpsampleReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_upsample_impls() { return kImpls; }

}  // namespace tessera
