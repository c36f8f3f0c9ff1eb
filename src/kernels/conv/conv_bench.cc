// Convolutions of real networks, each alone: GFLOP/s and the share of the machine's peak, measured in the same run.
//   kernels_bench --benchmark_filter='yolov4_416/.*_avx512'

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/strips.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/gemm/peak.h"
#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

struct Layer {
  const char* network;
  ConvShape shape;
  Activation act;
};

/// `same` padding, square kernel and stride.
constexpr ConvShape conv(std::int64_t in, std::int64_t ic, std::int64_t oc, std::int64_t k, std::int64_t stride = 1,
                         std::int64_t groups = 1) {
  const std::int64_t out = (in + stride - 1) / stride;
  return {.ih = in,
          .iw = in,
          .ic = ic,
          .oh = out,
          .ow = out,
          .oc = oc,
          .kh = k,
          .kw = k,
          .sh = stride,
          .sw = stride,
          .pt = (k - 1) / 2,
          .pl = (k - 1) / 2,
          .groups = groups};
}

constexpr auto kMish = Activation::mish, kLeaky = Activation::leaky, kSilu = Activation::silu, kRelu = Activation::relu,
               kLinear = Activation::linear;

constexpr Layer kLayers[] = {
    {"yolov4_416", conv(416, 3, 32, 3), kMish},
    {"yolov4_416", conv(416, 32, 64, 3, 2), kMish},
    {"yolov4_416", conv(208, 64, 64, 1), kMish},
    {"yolov4_416", conv(208, 64, 32, 1), kMish},
    {"yolov4_416", conv(208, 32, 64, 3), kMish},
    {"yolov4_416", conv(208, 128, 64, 1), kMish},
    {"yolov4_416", conv(208, 64, 128, 3, 2), kMish},
    {"yolov4_416", conv(104, 64, 64, 3), kMish},
    {"yolov4_416", conv(52, 128, 128, 1), kMish},
    {"yolov4_416", conv(52, 128, 128, 3), kMish},
    {"yolov4_416", conv(26, 256, 256, 1), kMish},
    {"yolov4_416", conv(26, 256, 256, 3), kMish},
    {"yolov4_416", conv(26, 512, 1024, 3, 2), kMish},
    {"yolov4_416", conv(13, 512, 512, 1), kMish},
    {"yolov4_416", conv(13, 512, 512, 3), kMish},
    {"yolov4_416", conv(13, 512, 1024, 3), kLeaky},
    {"yolov4_416", conv(13, 2048, 512, 1), kLeaky},
    {"yolov4_416", conv(13, 1024, 255, 1), kLinear},
    {"yolov4tiny_416", conv(416, 3, 32, 3, 2), kLeaky},
    {"yolov4tiny_416", conv(104, 32, 32, 3), kLeaky},
    {"yolov5n_640",
     {.ih = 640,
      .iw = 640,
      .ic = 3,
      .oh = 320,
      .ow = 320,
      .oc = 16,
      .kh = 6,
      .kw = 6,
      .sh = 2,
      .sw = 2,
      .pt = 2,
      .pl = 2},
     kSilu},
    {"yolov5n_640", conv(320, 16, 32, 3, 2), kSilu},
    {"yolov5n_640", conv(160, 32, 16, 1), kSilu},
    {"yolov5n_640", conv(160, 16, 16, 1), kSilu},
    {"yolov5n_640", conv(160, 16, 16, 3), kSilu},
    {"yolov5n_640", conv(80, 64, 255, 1), kLinear},
    {"yolov8n_640", conv(640, 3, 16, 3, 2), kSilu},
    {"yolov8n_640", conv(80, 64, 80, 3), kSilu},
    {"yolov8n_640", conv(80, 80, 80, 3), kSilu},
    {"mnist", conv(28, 1, 32, 5), kRelu},
    {"mnist", conv(14, 32, 64, 3), kRelu},
    {"mnist", {.ih = 7, .iw = 7, .ic = 64, .oc = 32, .kh = 7, .kw = 7}, kRelu},
    {"dscnn",
     {.ih = 49, .iw = 10, .ic = 1, .oh = 25, .ow = 5, .oc = 64, .kh = 10, .kw = 4, .sh = 2, .sw = 2, .pt = 5, .pl = 1},
     kRelu},
    {"dscnn", {.ih = 25, .iw = 5, .ic = 64, .oh = 25, .ow = 5, .oc = 64}, kRelu},
    {"vww", conv(96, 3, 8, 3, 2), kRelu},
    {"dscnn",
     {.ih = 25, .iw = 5, .ic = 64, .oh = 25, .ow = 5, .oc = 64, .kh = 3, .kw = 3, .pt = 1, .pl = 1, .groups = 64},
     kRelu},
    {"vww", conv(48, 8, 8, 3, 1, 8), kRelu},
    {"vww", conv(48, 16, 16, 3, 2, 16), kRelu},
    {"vww", conv(6, 128, 128, 3, 1, 128), kRelu},
    {"yolo_fastest_320", conv(160, 8, 8, 3, 1, 8), kLeaky},
    {"yolo_fastest_320", conv(160, 24, 24, 3, 2, 24), kLeaky},
    {"yolo_fastest_320", conv(80, 32, 32, 3, 1, 32), kLeaky},
    {"yolo_fastest_320", conv(40, 96, 96, 3, 1, 96), kLeaky},
    {"yolo_fastest_320", conv(20, 136, 136, 3, 1, 136), kLeaky},
    {"yolo_fastest_320", conv(10, 224, 224, 3, 1, 224), kLeaky},
    {"yolo_fastest_320", conv(20, 120, 120, 5, 1, 120), kLeaky},
    {"yolo_fastest_320", conv(320, 3, 8, 3, 2), kLeaky},
    {"yolo_fastest_320", conv(160, 8, 8, 1), kLeaky},
    {"yolo_fastest_320", conv(160, 8, 4, 1), kLinear},
    {"yolo_fastest_320", conv(80, 32, 8, 1), kLinear},
    {"yolo_fastest_320", conv(40, 96, 16, 1), kLinear},
    {"yolo_fastest_xl_320", conv(320, 3, 16, 3, 2), kLeaky},
    {"yolo_fastest_xl_320", conv(160, 16, 16, 1), kLeaky},
    {"yolo_fastest_xl_320", conv(80, 16, 64, 1), kLeaky},
    {"yolo_fastest_xl_320", conv(80, 64, 16, 1), kLinear},
    {"vww", conv(48, 8, 16, 1), kRelu},
    {"vww", conv(24, 32, 32, 1), kRelu},
    {"vww", conv(6, 128, 128, 1), kRelu},
    {"vww", conv(3, 256, 256, 1), kRelu},
};

/// Times a prepared kernel. FLOPs are those of the direct sum, so that Winograd can pass the peak.
template <class Prepare>
void run_layer(benchmark::State& state, const Layer& layer, Isa isa, const Prepare& prepare) {
  const ConvShape& s = layer.shape;
  const std::int64_t k = s.kh * s.kw * s.ic / s.groups, pixels = s.oh * s.ow;
  const std::vector<float> weights(static_cast<std::size_t>(s.oc * k), 0.01f),
      bias(static_cast<std::size_t>(s.oc), 0.1f);
  PackedFloats src(s.ih * s.iw * s.ic), dst(pixels * s.oc);
  std::fill_n(src.data(), src.size(), 0.5f);
  const auto kernel = prepare(weights.data(), bias.data(), GemmEpilogue{.act = {.kind = layer.act}, .post_act = {}});
  PackedFloats scratch(static_cast<std::int64_t>(kernel.scratch_bytes() / 4 + 1));
  const ConvOperands operands{.src = src.data(),
                              .src_stride = s.ic,
                              .dst = dst.data(),
                              .dst_stride = s.oc,
                              .scratch = reinterpret_cast<std::byte*>(scratch.data())};
  const double peak = peak_gflops(isa);
  for (auto _ : state) {
    for (std::size_t task = 0; task < kernel.tasks(); ++task) kernel.run(task, operands);
    benchmark::ClobberMemory();
  }
  const double gflops = 2e-9 * static_cast<double>(pixels * s.oc * k) * static_cast<double>(state.iterations());
  state.counters["GFLOP/s"] = benchmark::Counter(gflops, benchmark::Counter::kIsRate);
  if (peak > 0) state.counters["of_peak"] = benchmark::Counter(gflops / peak, benchmark::Counter::kIsRate);
}

template <class Prepare>
void add(const Layer& layer, const char* kernel, const char* isa_name, Isa isa, const Prepare& prepare) {
  const ConvShape& s = layer.shape;
  const std::string name = text(layer.network, "/", s.ih, "x", s.iw, "x", s.ic, "_", s.oc, "_", s.kh, "x", s.kw, "s",
                                s.sh, "/", kernel, "_", isa_name);
  benchmark::RegisterBenchmark(name.c_str(), [&layer, isa, prepare](benchmark::State& state) {
    run_layer(state, layer, isa, prepare);
  })->Unit(benchmark::kMicrosecond);
}

/// Every kernel that takes the layer, of the index-th instruction set (all lists have the same order).
void add_layer(const Layer& layer, std::size_t index, const CpuInfo& cpu) {
  const auto& gemm = gemm_variants()[index];
  const ConvShape& s = layer.shape;
  const Conv::Machine machine{.l2_bytes = cpu.l2_bytes()};
  if (Depthwise::accepts(s)) {
    add(layer, "depthwise", gemm.name, gemm.isa, [&s, index](const float* w, const float* b, const GemmEpilogue& e) {
      return Depthwise(s, w, b, e, *depthwise_variants()[index].run, 1);
    });
    return;
  }
  const WinogradIsa& winograd = *winograd_variants()[index].run;
  for (const WinogradTransforms* transforms : {&winograd.f4, &winograd.f2, &winograd.f4_stride2}) {
    if (Winograd::rejects(s, *transforms->scheme)) continue;
    add(layer, transforms->scheme->name, gemm.name, gemm.isa,
        [&s, &gemm, transforms, machine](const float* w, const float* b, const GemmEpilogue& e) {
          return Winograd(s, w, b, e, *gemm.run, *transforms, machine);
        });
  }
  if (!StripConv::rejects(s)) {
    add(layer, "strips", gemm.name, gemm.isa, [&s, &gemm](const float* w, const float* b, const GemmEpilogue& e) {
      return StripConv(s, w, b, e, *gemm.run, 1);
    });
  }
  add(layer, "gemm", gemm.name, gemm.isa, [&s, &gemm, machine](const float* w, const float* b, const GemmEpilogue& e) {
    return Conv(s, w, b, e, *gemm.run, machine);
  });
}

// Every layer with every variant this processor has; the names are data, so no macro can register them.
[[maybe_unused]] const bool kRegistered = [] {
  const CpuInfo cpu = CpuInfo::detect();
  for (std::size_t index = 0; index < gemm_variants().size(); ++index) {
    if (!cpu.supports(gemm_variants()[index].isa)) continue;
    for (const Layer& layer : kLayers) add_layer(layer, index, cpu);
  }
  return true;
}();

}  // namespace
}  // namespace tessera
