#include "kernels/from_bytes/from_bytes.h"

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class FromBytesRows final : public cpu::SameRowsImpl {
 public:
  FromBytesRows(const ImplContext& context, FromBytesF32* kernel)
      : SameRowsImpl(context), pixels_(std::get<FromBytesAttrs>(context.node->attrs)), kernel_(kernel) {}

  bool by_rows() const noexcept override { return true; }
  void run_rows(std::int64_t from, std::int64_t to, const NodeArgs& args) const noexcept override {
    run_rows(0, from, to, args);
  }

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const TensorRef& in = args.inputs[0];
    const BytePixels src{in.bytes + (n * in.h + begin) * in.w * in.pixel_stride, in.pixel_stride};
    kernel_(src, cpu::pixels_to(args.output, n, begin), (end - begin) * in.w, in.c,
            {pixels_.scale.data(), pixels_.shift.data()});
  }

  FromBytesAttrs pixels_;
  FromBytesF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<FromBytesRows>(context, cpu::variant_for(from_bytes_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"from_bytes_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"from_bytes_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"from_bytes_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"from_bytes_scalar", Isa::none, takes_all, make<Isa::none>},
    kFromBytesReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_from_bytes_impls() { return kImpls; }

}  // namespace tessera
