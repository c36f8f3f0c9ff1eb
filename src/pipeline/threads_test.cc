// The same outputs, bit for bit, for every number of threads, with Winograd among the kernels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/file_bytes.h"
#include "device/device.h"
#include "model/load.h"

namespace tessera {
namespace {

Graph nano() {
  LoadOptions options;
  options.model = TESSERA_TESTDATA "/../models/tessera-nano/tessera-nano.cfg";
  options.size = InputSize{224, 288};
  auto model = load_model(options);
  if (!model) ADD_FAILURE() << model.error().message;
  return std::move(model->graph);
}

/// Weights between 0.01 and 0.02: as variances they are positive, and nothing overflows.
Graph yolov4_tiny() {
  constexpr std::size_t kHeader = 20, kNumbers = 6'062'814;
  std::vector<std::byte> weights(kHeader + 4 * kNumbers);
  weights[4] = std::byte{2};
  std::mt19937 random(1);
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const float value = 0.01f + static_cast<float>(random() >> 8) * 0x1p-31f;
    std::memcpy(weights.data() + kHeader + 4 * i, &value, sizeof(value));
  }
  const auto cfg = FileBytes::open(TESSERA_TESTDATA "/models/yolov4-tiny.cfg", kMaxTextBytes);
  auto model = load_model(ModelBytes{.name = "yolov4-tiny",
                                     .model = cfg->bytes(),
                                     .weights = weights,
                                     .names = {},
                                     .size = InputSize{160, 192},
                                     .log = {}});
  if (!model) ADD_FAILURE() << model.error().message;
  return std::move(model->graph);
}

struct Heads {
  std::vector<float> numbers;
  int winograd = 0;  ///< layers that took it
};

Heads heads_of(const Graph& graph, Isa isa, int threads) {
  const auto executable = Executable::prepare(graph, {.isa = isa, .threads = threads});
  if (!executable) ADD_FAILURE() << executable.error().message;
  auto context = ExecutionContext::create(*executable, threads);
  const TensorRef input = context->input(0);
  std::mt19937 random(7);
  for (std::int64_t i = 0; i < input.n * input.h * input.w; ++i) {
    for (std::int64_t c = 0; c < input.c; ++c) {
      input.data[i * input.pixel_stride + c] = static_cast<float>(random() >> 8) * 0x1p-24f;
    }
  }
  ThreadPool pool(threads);
  context->run(pool);
  Heads out;
  for (std::size_t head = 0; head < graph.outputs.size(); ++head) {
    const TensorRef t = context->output(head);
    for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
      out.numbers.insert(out.numbers.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
    }
  }
  for (const NodeChoice& choice : (*executable)->choices()) out.winograd += choice.impl.find("winograd") < 99 ? 1 : 0;
  return out;
}

struct Network {
  const char* name;
  Graph (*graph)();
};
void PrintTo(const Network& network, std::ostream* out) { *out << network.name; }

class Threads : public testing::TestWithParam<Network> {};

TEST_P(Threads, ChangeNoBits) {
  const Graph graph = GetParam().graph();
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (!CpuInfo::detect().supports(isa)) continue;
    const Heads one = heads_of(graph, isa, 1);
    EXPECT_GT(one.winograd, 3) << to_string(isa);
    EXPECT_THAT(one.numbers, testing::Each(testing::Truly([](float v) { return std::isfinite(v); })));
    for (const int threads : {2, 3, 5}) {
      const Heads many = heads_of(graph, isa, threads);
      ASSERT_EQ(many.numbers.size(), one.numbers.size());
      EXPECT_EQ(std::memcmp(many.numbers.data(), one.numbers.data(), one.numbers.size() * sizeof(float)), 0)
          << to_string(isa) << ", " << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Threads,
                         testing::Values(Network{"tessera-nano", nano}, Network{"yolov4-tiny", yolov4_tiny}),
                         [](const auto& info) { return std::string(info.index == 0 ? "nano" : "yolov4_tiny"); });

}  // namespace
}  // namespace tessera
