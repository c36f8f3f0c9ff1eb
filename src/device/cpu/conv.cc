// Convolutions of the cpu device: the choice between the kernel families, per instruction set.

#include "kernels/conv/conv.h"

#include "device/cpu/cpu.h"
#include "device/reference/reference.h"
#include "kernels/conv/strips.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

ConvShape conv_shape(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  const Extents src = extents(context.graph->value(context.node->inputs[0]).spec);
  const Extents dst = extents(context.graph->value(context.node->output).spec);
  return {.mb = src.n,
          .ih = src.h,
          .iw = src.w,
          .ic = src.c,
          .oh = dst.h,
          .ow = dst.w,
          .oc = dst.c,
          .kh = conv.kh,
          .kw = conv.kw,
          .sh = conv.sh,
          .sw = conv.sw,
          .dh = conv.dh,
          .dw = conv.dw,
          .pt = conv.pad.top,
          .pl = conv.pad.left,
          .groups = conv.groups};
}

const float* data_or_null(const Constant& constant) { return constant ? constant->data() : nullptr; }

ConvOperands conv_operands(const NodeArgs& args, bool residual) {
  ConvOperands operands{.src = args.inputs[0].data,
                        .src_stride = args.inputs[0].pixel_stride,
                        .dst = args.output.data,
                        .dst_stride = args.output.pixel_stride,
                        .scratch = args.scratch};
  if (residual) {
    operands.residual = args.inputs.back().data;
    operands.residual_stride = args.inputs.back().pixel_stride;
  }
  return operands;
}

/// Any prepared convolution kernel as a node.
template <class Kernel>
class ConvNode final : public NodeImpl {
 public:
  ConvNode(Kernel kernel, bool residual) : kernel_(std::move(kernel)), residual_(residual) {}
  std::size_t tasks() const noexcept override { return kernel_.tasks(); }
  std::size_t scratch_bytes() const noexcept override { return kernel_.scratch_bytes(); }
  std::size_t constant_bytes() const noexcept override { return static_cast<std::size_t>(kernel_.constant_bytes()); }
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    kernel_.run(task, conv_operands(args, residual_));
  }
  bool by_rows() const noexcept override {
    if constexpr (requires { kernel_.by_rows(); }) return kernel_.by_rows();
    return false;
  }
  void run_rows(std::int64_t from, std::int64_t to, const NodeArgs& args) const noexcept override {
    if constexpr (requires { kernel_.by_rows(); }) kernel_.run_rows(from, to, conv_operands(args, residual_));
  }

 private:
  Kernel kernel_;
  bool residual_;
};

template <class Table>
const Table& table_of(std::span<const Variant<const Table>> variants, Isa isa) {
  for (const auto& variant : variants) {
    if (variant.isa == isa) return *variant.run;
  }
  return *variants.back().run;  // not reached: kImpls names only what is built
}

Conv::Machine machine(const ImplContext& context) {
  return {.l2_bytes = context.cpu.l2_bytes(), .threads = context.threads, .source = context.source};
}

template <Isa kIsa>
std::unique_ptr<NodeImpl> make_gemm(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  return std::make_unique<ConvNode<Conv>>(
      Conv(conv_shape(context), conv.weights->data(), data_or_null(conv.bias),
           {conv.epilogue.act, conv.epilogue.post_act}, table_of(gemm_variants(), kIsa), machine(context)),
      conv.epilogue.residual);
}

std::optional<std::string> rejects_strips(const ImplContext& context) {
  return StripConv::rejects(conv_shape(context));
}

template <Isa kIsa>
std::optional<std::string> slower_strips(const ImplContext& context) {
  return StripConv::slower(conv_shape(context), table_of(gemm_variants(), kIsa));
}

template <Isa kIsa>
std::unique_ptr<NodeImpl> make_strips(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  return std::make_unique<ConvNode<StripConv>>(
      StripConv(conv_shape(context), conv.weights->data(), data_or_null(conv.bias),
                {conv.epilogue.act, conv.epilogue.post_act}, table_of(gemm_variants(), kIsa), context.threads),
      conv.epilogue.residual);
}

std::optional<std::string> rejects_depthwise(const ImplContext& context) {
  if (Depthwise::accepts(conv_shape(context))) return std::nullopt;
  return "only depthwise (groups = input channels = output channels)";
}

template <Isa kIsa>
std::unique_ptr<NodeImpl> make_depthwise(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  return std::make_unique<ConvNode<Depthwise>>(
      Depthwise(conv_shape(context), conv.weights->data(), data_or_null(conv.bias),
                {conv.epilogue.act, conv.epilogue.post_act}, table_of(depthwise_variants(), kIsa), context.threads),
      conv.epilogue.residual);
}

/// One of the schemes: &WinogradIsa::f4, ...
using Scheme = WinogradTransforms WinogradIsa::*;

template <Scheme kScheme>
std::optional<std::string> rejects_winograd(const ImplContext& context) {
  const WinogradIsa& any = *winograd_variants().front().run;  // all have the same schemes
  return Winograd::rejects(conv_shape(context), *(any.*kScheme).scheme);
}

template <Scheme kScheme, Isa kIsa>
std::optional<std::string> slower_winograd(const ImplContext& context) {
  return Winograd::slower(conv_shape(context), *(table_of(winograd_variants(), kIsa).*kScheme).scheme,
                          table_of(gemm_variants(), kIsa), context.cpu.l2_bytes());
}

template <Scheme kScheme, Isa kIsa>
std::unique_ptr<NodeImpl> make_winograd(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  return std::make_unique<ConvNode<Winograd>>(
      Winograd(conv_shape(context), conv.weights->data(), data_or_null(conv.bias),
               {conv.epilogue.act, conv.epilogue.post_act}, table_of(gemm_variants(), kIsa),
               table_of(winograd_variants(), kIsa).*kScheme, machine(context)),
      conv.epilogue.residual);
}

template <Isa kIsa>
constexpr NodeImplInfo strips(const char* name) {
  return {name, kIsa, rejects_strips, make_strips<kIsa>, slower_strips<kIsa>};
}

template <Scheme kScheme, Isa kIsa>
constexpr NodeImplInfo winograd(const char* name) {
  return {name, kIsa, rejects_winograd<kScheme>, make_winograd<kScheme, kIsa>, slower_winograd<kScheme, kIsa>, false};
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"conv_depthwise_avx512", Isa::avx512, rejects_depthwise, make_depthwise<Isa::avx512>},
    winograd<&WinogradIsa::f4, Isa::avx512>("conv_winograd_avx512"),
    winograd<&WinogradIsa::f2, Isa::avx512>("conv_winograd_f2_avx512"),
    winograd<&WinogradIsa::f4_stride2, Isa::avx512>("conv_winograd_stride2_avx512"),
    strips<Isa::avx512>("conv_strips_avx512"),
    {"conv_gemm_avx512", Isa::avx512, takes_all, make_gemm<Isa::avx512>},
    {"conv_depthwise_avx2", Isa::avx2, rejects_depthwise, make_depthwise<Isa::avx2>},
    winograd<&WinogradIsa::f4, Isa::avx2>("conv_winograd_avx2"),
    winograd<&WinogradIsa::f2, Isa::avx2>("conv_winograd_f2_avx2"),
    winograd<&WinogradIsa::f4_stride2, Isa::avx2>("conv_winograd_stride2_avx2"),
    strips<Isa::avx2>("conv_strips_avx2"),
    {"conv_gemm_avx2", Isa::avx2, takes_all, make_gemm<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"conv_depthwise_neon", Isa::neon, rejects_depthwise, make_depthwise<Isa::neon>},
    winograd<&WinogradIsa::f4, Isa::neon>("conv_winograd_neon"),
    winograd<&WinogradIsa::f2, Isa::neon>("conv_winograd_f2_neon"),
    winograd<&WinogradIsa::f4_stride2, Isa::neon>("conv_winograd_stride2_neon"),
    strips<Isa::neon>("conv_strips_neon"),
    {"conv_gemm_neon", Isa::neon, takes_all, make_gemm<Isa::neon>},
#endif
    {"conv_depthwise_scalar", Isa::none, rejects_depthwise, make_depthwise<Isa::none>},
    winograd<&WinogradIsa::f4, Isa::none>("conv_winograd_scalar"),
    winograd<&WinogradIsa::f2, Isa::none>("conv_winograd_f2_scalar"),
    winograd<&WinogradIsa::f4_stride2, Isa::none>("conv_winograd_stride2_scalar"),
    strips<Isa::none>("conv_strips_scalar"),
    {"conv_gemm_scalar", Isa::none, takes_all, make_gemm<Isa::none>},
    kConvReference,
};

}  // namespace

// "conv_winograd" begins the other names, so it comes last.
const WinogradScheme* winograd_scheme(std::string_view impl) {
  if (impl.starts_with("conv_winograd_f2_")) return &kWinogradF2;
  if (impl.starts_with("conv_winograd_stride2_")) return &kWinogradF4Stride2;
  return impl.starts_with("conv_winograd_") ? &kWinogradF4 : nullptr;
}

std::span<const NodeImplInfo> cpu_conv_impls() { return kImpls; }

}  // namespace tessera
