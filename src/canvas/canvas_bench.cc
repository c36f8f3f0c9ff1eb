// ms per photo for the canvases detectors use, each row kernel, and the slow twin. Bytes are those of the photo rows
// that must be read.

#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "canvas/canvas.h"
#include "image/resize_rows.h"

namespace {

using namespace tessera;

Image photo(int width, int height) {
  std::mt19937 random(1);
  Image image(width, height);
  for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(random());
  return image;
}

CanvasSpec spec_of(int side) {
  CanvasSpec spec;
  spec.width = spec.height = side;
  spec.fit = CanvasFit::letterbox;
  return spec;
}

void canvas(benchmark::State& state, Isa isa, int threads, int width, int height) {
  const int side = static_cast<int>(state.range(0));
  const Image image = photo(width, height);
  auto writer = CanvasWriter::create(spec_of(side), CpuInfo::detect().limited_to(isa));
  std::vector<float> out(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 3);
  ThreadPool pool(threads);
  for (auto _ : state) {
    auto map = writer->write(image.view(), CanvasTarget<float>{out.data(), 3, side * 3}, threads > 1 ? &pool : nullptr);
    benchmark::DoNotOptimize(map);
  }
  const CanvasMap map = place_on_canvas(CanvasFit::letterbox, CanvasAlign::center, side, side, width, height);
  const std::int64_t rows = std::min<std::int64_t>(2 * map.y.scaled, height);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * rows * width * 3);
}

void slow_twin(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  const Image image = photo(640, 480);
  std::vector<float> out(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 3);
  for (auto _ : state) {
    auto map = write_canvas_reference(spec_of(side), image.view(), {out.data(), 3, side * 3});
    benchmark::DoNotOptimize(map);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const image_internal::RowKernels& kernels : image_internal::row_kernels()) {
    if (!CpuInfo::detect().supports(kernels.isa)) continue;
    for (const int threads : {1, 2}) {
      const std::string name = std::string("canvas/") + kernels.name + "/threads:" + std::to_string(threads);
      const Isa isa = kernels.isa;
      for (const auto& [w, h] : {std::pair{640, 480}, {4000, 3000}}) {
        const auto size = "/photo:" + std::to_string(w) + "x" + std::to_string(h) + "/side";
        benchmark::RegisterBenchmark((name + size).c_str(),
                                     [=](benchmark::State& state) { canvas(state, isa, threads, w, h); })
            ->Arg(320)
            ->Arg(416)
            ->Arg(640)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      }
    }
  }
  benchmark::RegisterBenchmark("canvas/slow_twin/photo:640x480/side", slow_twin)
      ->Arg(320)
      ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
