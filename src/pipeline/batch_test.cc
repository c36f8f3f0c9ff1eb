// A batch of n images through the network is n single images, bit for bit, whatever kernels the shapes lead to.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "device/device.h"
#include "model/load.h"

namespace tessera {
namespace {

constexpr int kImages = 3;

Graph nano(std::int64_t images) {
  LoadOptions options;
  options.model = TESSERA_TESTDATA "/../models/tessera-nano/tessera-nano.cfg";
  options.size = InputSize{160, 160};
  auto model = load_model(options);
  if (!model) ADD_FAILURE() << model.error().message;
  Graph graph = std::move(model->graph);
  graph.value(graph.inputs.front()).spec.shape[0] = images;
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

ExecutionContext context_of(std::int64_t images, const char* isa, int threads) {
  PrepareOptions options;
  options.threads = threads;
  if (isa != nullptr) options.isa = parse_isa(isa);
  auto executable = Executable::prepare(nano(images), options);
  if (!executable) ADD_FAILURE() << executable.error().message;
  return std::move(*ExecutionContext::create(*executable, threads));
}

std::vector<float> image(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<float> out(160 * 160 * 3);
  for (float& v : out) v = std::uniform_real_distribution<float>(0, 1)(random);
  return out;
}

// Values of image n, pixel by pixel.
std::vector<float> image_of(const TensorRef& t, std::int64_t n) {
  std::vector<float> out;
  for (std::int64_t p = n * t.h * t.w; p < (n + 1) * t.h * t.w; ++p) {
    out.insert(out.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
  }
  return out;
}
void set_image(const TensorRef& t, std::int64_t n, const std::vector<float>& values) {
  for (std::int64_t p = 0; p < t.h * t.w; ++p) {
    std::copy_n(values.data() + p * t.c, t.c, t.data + (n * t.h * t.w + p) * t.pixel_stride);
  }
}

class Batch : public testing::TestWithParam<const char*> {};

TEST_P(Batch, OfThreeIsThreeSingles) {
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    ExecutionContext one = context_of(1, GetParam(), threads), many = context_of(kImages, GetParam(), threads);
    for (int n = 0; n < kImages; ++n) set_image(many.input(0), n, image(n));
    many.run(pool);
    for (int n = 0; n < kImages; ++n) {
      set_image(one.input(0), 0, image(n));
      one.run(pool);
      for (std::size_t head = 0; head < 3; ++head) {
        ASSERT_EQ(image_of(many.output(head), n), image_of(one.output(head), 0))
            << "image " << n << ", head " << head << ", " << threads << " threads";
      }
    }
  }
}

std::vector<const char*> supported() {
  std::vector<const char*> out;
  for (const char* isa : {"scalar", "avx2", "avx512", "neon"}) {
    if (CpuInfo::detect().supports(*parse_isa(isa))) out.push_back(isa);
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(EveryIsa, Batch, testing::ValuesIn(supported()));

}  // namespace
}  // namespace tessera
