#include <array>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"
#include "kernels/elementwise/elementwise.h"

namespace tessera {
namespace {

class AddRows final : public cpu::SameRowsImpl {
 public:
  AddRows(const ImplContext& context, AddF32* kernel)
      : SameRowsImpl(context), act_(std::get<AddAttrs>(context.node->attrs).act), kernel_(kernel) {}

 private:
  // Many sources are added a few at a time, so that a run needs no memory: the sum so far is the next group's first.
  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const std::int64_t pixels = (end - begin) * args.output.w, c = args.output.c;
    const MutablePixels dst = cpu::pixels_to(args.output, n, begin);
    std::array<Pixels, 8> group;
    std::size_t filled = 0, next = 0;
    while (next < args.inputs.size()) {
      while (filled < group.size() && next < args.inputs.size()) {
        group[filled++] = cpu::pixels_from(args.inputs[next++], n, begin);
      }
      const bool last = next == args.inputs.size();
      kernel_(std::span(group).first(filled), dst, pixels, c, last ? act_ : ActivationSpec{});
      group[0] = {dst.data, dst.stride};
      filled = 1;
    }
  }

  ActivationSpec act_;
  AddF32* kernel_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<AddRows>(context, cpu::variant_for(add_f32_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"add_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"add_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"add_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"add_scalar", Isa::none, takes_all, make<Isa::none>},
    kAddReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_add_impls() { return kImpls; }

}  // namespace tessera
