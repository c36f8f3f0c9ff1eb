// Kernels that only move data: copy between slices, upsample, add; bytes read and written per second, beside memcpy.

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/copy/copy.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/upsample/upsample.h"

namespace tessera {
namespace {

constexpr std::int64_t kPixels = 26 * 26, kChannels = 128, kStride = 256;
constexpr std::int64_t kBytes = kPixels * kChannels * static_cast<std::int64_t>(sizeof(float));

template <class Work>
void measure(benchmark::State& state, std::int64_t bytes, const Work& work) {
  for (auto _ : state) {
    work();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}

void register_copy(std::string name, CopyF32* kernel) {
  benchmark::RegisterBenchmark(("copy/" + name).c_str(), [kernel](benchmark::State& state) {
    std::vector<float> src(kPixels * kStride, 1), dst(kPixels * kStride);
    measure(state, 2 * kBytes, [&] { kernel({src.data(), kStride}, {dst.data(), kStride}, kPixels, kChannels); });
  });
}
void register_add(std::string name, AddF32* kernel) {
  benchmark::RegisterBenchmark(("add/" + name).c_str(), [kernel](benchmark::State& state) {
    std::vector<float> a(kPixels * kStride, 1), b = a, dst = a;
    const std::vector<Pixels> srcs{{a.data(), kStride}, {b.data(), kStride}};
    measure(state, 3 * kBytes, [&] { kernel(srcs, {dst.data(), kStride}, kPixels, kChannels, {}); });
  });
}
void register_upsample(std::string name, UpsampleRowF32* kernel) {
  benchmark::RegisterBenchmark(("upsample/" + name).c_str(), [kernel](benchmark::State& state) {
    std::vector<float> src(kPixels * kChannels, 1), dst(4 * kPixels * kStride);
    measure(state, 5 * kBytes, [&] {
      for (std::int64_t y = 0; y < 26; ++y) {
        kernel({26, kChannels, 2, 2, 1}, {src.data() + y * 26 * kChannels, kChannels},
               {dst.data() + 2 * y * 52 * kStride, kStride}, 52 * kStride);
      }
    });
  });
}

[[maybe_unused]] const bool kRegistered = [] {
  const CpuInfo cpu = CpuInfo::detect();
  for (const auto& variant : supported(copy_f32_variants(), cpu)) register_copy(variant.name, variant.run);
  for (const auto& variant : supported(add_f32_variants(), cpu)) register_add(variant.name, variant.run);
  for (const auto& variant : supported(upsample_f32_variants(), cpu)) register_upsample(variant.name, variant.run);
  benchmark::RegisterBenchmark("memcpy", [](benchmark::State& state) {
    std::vector<float> src(kPixels * kChannels, 1), dst(kPixels * kChannels);
    measure(state, 2 * kBytes, [&] { std::memcpy(dst.data(), src.data(), kBytes); });
  });
  return true;
}();

}  // namespace
}  // namespace tessera
