#include "kernels/pool/pool.h"

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class PoolRows final : public cpu::RowsImpl {
 public:
  PoolRows(const PoolAttrs& pool, const Extents& in, const Extents& out, int threads, PoolRowF32* kernel)
      : RowsImpl(out.n, out.h, out.w * out.c * pool.kh, threads),
        shape_{in.h, in.w, in.c, out.w, pool.kh, pool.kw, pool.sh, pool.sw, pool.pad.top, pool.pad.left},
        scratch_floats_(pool.kind == PoolAttrs::Kind::max ? max_pool_scratch_floats(shape_) : 0),
        kernel_(kernel) {}
  std::size_t scratch_bytes() const noexcept override { return scratch_floats_ * sizeof(float); }

 private:
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const Pixels src = cpu::pixels_from(args.inputs[0], n, 0);
    float* scratch = scratch_floats_ == 0 ? nullptr : reinterpret_cast<float*>(args.scratch);
    for (std::int64_t y = begin; y < end; ++y) kernel_(shape_, src, y, cpu::pixels_to(args.output, n, y), scratch);
  }

  PoolShape shape_;
  std::size_t scratch_floats_;
  PoolRowF32* kernel_;
};

std::unique_ptr<NodeImpl> make_rows(const ImplContext& context, Isa isa) {
  const auto& pool = std::get<PoolAttrs>(context.node->attrs);
  const auto variants = pool.kind == PoolAttrs::Kind::max ? max_pool_f32_variants() : average_pool_f32_variants();
  return std::make_unique<PoolRows>(pool, cpu::input_extents(context, 0), cpu::output_extents(context), context.threads,
                                    cpu::variant_for(variants, isa));
}

std::optional<std::string> only_plain(const ImplContext& context) {
  const auto& pool = std::get<PoolAttrs>(context.node->attrs);
  if (pool.dh != 1 || pool.dw != 1) return "only without dilation";
  const bool pads = pool.kind == PoolAttrs::Kind::average && pool.count_include_pad && pool.pad != Padding{};
  return pads ? std::optional<std::string>("only where padding does not count") : std::nullopt;
}

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return make_rows(context, isa);
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"pool_avx512", Isa::avx512, only_plain, make<Isa::avx512>},
    {"pool_avx2", Isa::avx2, only_plain, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"pool_neon", Isa::neon, only_plain, make<Isa::neon>},
#endif
    {"pool_scalar", Isa::none, only_plain, make<Isa::none>},
    kPoolReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_pool_impls() { return kImpls; }

}  // namespace tessera
