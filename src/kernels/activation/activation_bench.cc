// Time per 16 results (one AVX-512 register) of each activation and variant, on data that stays in L1. The epilogue of
// a convolution pays exactly this per output: compare with its multiply-accumulates.

#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/activation/activation.h"

namespace tessera {
namespace {

void run(benchmark::State& state, ActivateF32* kernel, Activation kind) {
  constexpr std::size_t kCount = 4096;
  std::vector<float> src(kCount), dst(kCount);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> in(-6, 6);
  for (float& v : src) v = in(random);
  for (auto _ : state) {
    kernel(src.data(), dst.data(), kCount, {kind, 0.1f});
    benchmark::DoNotOptimize(dst.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
  state.counters["per_16"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(kCount) / 16,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool kRegistered = [] {
  constexpr std::pair<const char*, Activation> kKinds[] = {
      {"relu", Activation::relu}, {"leaky", Activation::leaky},       {"mish", Activation::mish},
      {"silu", Activation::silu}, {"logistic", Activation::logistic}, {"tanh", Activation::tanh}};
  for (const auto& variant : supported(activate_f32_variants(), CpuInfo::detect())) {
    for (const auto& [name, kind] : kKinds) {
      benchmark::RegisterBenchmark(
          (std::string(name) + "/" + variant.name).c_str(),
          [run = variant.run, kind = kind](benchmark::State& state) { tessera::run(state, run, kind); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace tessera
