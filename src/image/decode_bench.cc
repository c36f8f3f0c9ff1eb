// ms per photo for decoding and encoding a drawn 1280x960 picture, and JPEG's scaled decode.

#include <benchmark/benchmark.h>

#include <cmath>

#include "image/image.h"

namespace {

using namespace tessera;

// Smooth shapes with some grain: compresses about as a photo does.
Image scene() {
  Image image(1280, 960);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double v = 128 + 80 * std::sin(x * 0.02 * (c + 1)) * std::cos(y * 0.013) + (x * 7 + y * 13 + x * y) % 17;
        image.row(y)[3 * x + c] = static_cast<std::uint8_t>(v);
      }
    }
  }
  return image;
}

void decode(benchmark::State& state, const std::vector<std::byte>& bytes, int min_side) {
  DecodeOptions options;
  options.min_width = options.min_height = min_side;
  for (auto _ : state) {
    auto image = decode_image(bytes, options);
    benchmark::DoNotOptimize(image);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

void encode(benchmark::State& state, bool jpeg) {
  const Image image = scene();
  for (auto _ : state) {
    auto bytes = jpeg ? encode_jpeg(image.view()) : encode_png(image.view());
    benchmark::DoNotOptimize(bytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Image image = scene();
  const auto jpeg = *encode_jpeg(image.view(), 85), png = *encode_png(image.view());
  const auto add = [](const char* name, auto f) {
    benchmark::RegisterBenchmark(name, f)->Unit(benchmark::kMillisecond);
  };
  add("decode/jpeg", [&](benchmark::State& state) { decode(state, jpeg, 0); });
  add("decode/jpeg/at_least:480", [&](benchmark::State& state) { decode(state, jpeg, 480); });
  add("decode/jpeg/at_least:240", [&](benchmark::State& state) { decode(state, jpeg, 240); });
  add("decode/png", [&](benchmark::State& state) { decode(state, png, 0); });
  add("encode/jpeg", [](benchmark::State& state) { encode(state, true); });
  add("encode/png", [](benchmark::State& state) { encode(state, false); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
