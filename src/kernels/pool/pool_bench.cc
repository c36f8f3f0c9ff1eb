// The pools of YOLO networks per variant, with the bytes read and written per second: small windows should run at the
// speed of the cache their input lies in.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "kernels/pool/pool.h"

namespace tessera {
namespace {

struct Case {
  const char* name;
  int h, w, c, k, s, pad;
};
constexpr Case kCases[] = {
    {"tiny_2x2s2_208x208x64", 208, 208, 64, 2, 2, 0}, {"tiny_2x2s2_26x26x256", 26, 26, 256, 2, 2, 0},
    {"spp_5x5_13x13x512", 13, 13, 512, 5, 1, 2},      {"spp_13x13_13x13x512", 13, 13, 512, 13, 1, 6},
    {"sppf_5x5_20x20x128", 20, 20, 128, 5, 1, 2},     {"3x3s2_112x112x64", 112, 112, 64, 3, 2, 1},
};

void run(benchmark::State& state, PoolRowF32* kernel, const Case& k, bool separable) {
  const std::int64_t oh = (k.h + 2 * k.pad - k.k) / k.s + 1, ow = (k.w + 2 * k.pad - k.k) / k.s + 1;
  const PoolShape shape{k.h, k.w, k.c, ow, k.k, k.k, k.s, k.s, k.pad, k.pad};
  std::vector<float> src(static_cast<std::size_t>(k.h * k.w * k.c), 1), dst(static_cast<std::size_t>(oh * ow * k.c));
  std::vector<float> scratch(max_pool_scratch_floats(shape));
  if (separable && scratch.empty()) return state.SkipWithError("not separable");
  for (auto _ : state) {
    for (std::int64_t y = 0; y < oh; ++y) {
      kernel(shape, {src.data(), k.c}, y, {dst.data() + y * ow * k.c, k.c}, separable ? scratch.data() : nullptr);
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((src.size() + dst.size()) * sizeof(float)));
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const auto& variant : supported(max_pool_f32_variants(), CpuInfo::detect())) {
    for (const Case& k : kCases) {
      for (const bool separable : {false, true}) {
        if (separable && (k.k < 4 || k.s != 1)) continue;
        const std::string name = std::string(k.name) + (separable ? "/separable/" : "/direct/") + variant.name;
        benchmark::RegisterBenchmark(name.c_str(), [run = variant.run, &k, separable](benchmark::State& state) {
          tessera::run(state, run, k, separable);
        });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace tessera
