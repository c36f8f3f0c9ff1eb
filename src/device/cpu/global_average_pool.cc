#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/pool/pool.h"

namespace tessera {
namespace {

// Split by channels: the "rows" of a task are blocks of 64, a whole number of cache lines.
class GlobalAveragePoolBlocks final : public cpu::RowsImpl {
 public:
  GlobalAveragePoolBlocks(const Extents& in, int threads, GlobalAverageF32* kernel)
      : RowsImpl(in.n, (in.c + kBlock - 1) / kBlock, in.h * in.w * kBlock, threads), kernel_(kernel) {}

 private:
  static constexpr std::int64_t kBlock = 64;

  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const TensorRef& in = args.inputs[0];
    const std::int64_t first = begin * kBlock, last = std::min(end * kBlock, in.c);
    kernel_({cpu::row(in, n, 0) + first, in.pixel_stride}, in.h * in.w, last - first,
            cpu::row(args.output, n, 0) + first);
  }

  GlobalAverageF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<GlobalAveragePoolBlocks>(cpu::input_extents(context, 0), context.threads,
                                                   cpu::variant_for(global_average_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"global_average_pool_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"global_average_pool_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"global_average_pool_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"global_average_pool_scalar", Isa::none, takes_all, make<Isa::none>},
    kGlobalAveragePoolReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_global_average_pool_impls() { return kImpls; }

}  // namespace tessera
