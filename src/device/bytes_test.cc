// Networks that read bytes against the same networks fed with the numbers that the bytes stand for: the same bits.

#include <gmock/gmock.h>

#include <cstring>

#include "device/device_test.h"
#include "graph/take_bytes.h"

namespace tessera {
namespace {

/// A network that reads numbers, the same one that reads bytes, and a picture as both.
struct Pair {
  Graph numbers, bytes;
  std::vector<std::uint8_t> picture;
  FromBytesAttrs pixels;

  Pair(Graph graph, unsigned seed) : numbers(graph), bytes(std::move(graph)) {
    std::mt19937 random(seed);
    const auto [n, h, w, c] = extents(numbers.value(numbers.inputs[0]).spec);
    for (std::int64_t i = 0; i < c; ++i) {
      pixels.scale.push_back(std::uniform_real_distribution<float>(0.001f, 0.02f)(random));
      pixels.shift.push_back(std::uniform_real_distribution<float>(-2, 2)(random));
    }
    picture.resize(static_cast<std::size_t>(n * h * w * c));
    for (std::uint8_t& byte : picture) byte = static_cast<std::uint8_t>(random());
    const Status taken = take_bytes(bytes, pixels);
    EXPECT_TRUE(taken.has_value()) << taken.error().message;
  }

  void fill(const TensorRef& input) const {
    for (std::size_t i = 0; i < picture.size(); ++i) {
      const std::size_t c = i % pixels.scale.size();
      const auto at =
          static_cast<std::int64_t>(i / pixels.scale.size()) * input.pixel_stride + static_cast<std::int64_t>(c);
      if (input.bytes) {
        input.bytes[at] = picture[i];
      } else {
        input.data[at] = static_cast<float>(picture[i]) * pixels.scale[c] + pixels.shift[c];
      }
    }
  }

  std::vector<float> run(const Graph& graph, const PrepareOptions& options) const {
    const auto exec = Executable::prepare(graph, options);
    EXPECT_TRUE(exec.has_value()) << exec.error().message;
    const int threads = std::max(options.threads, 1);
    auto context = ExecutionContext::create(*exec, threads);
    ThreadPool pool(threads);
    fill(context->input(0));
    context->run(pool);
    std::vector<float> out;
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
      const std::vector<float> values = testing::read(context->output(i));
      out.insert(out.end(), values.begin(), values.end());
    }
    return out;
  }

  void expect_same(const PrepareOptions& options) const {
    const std::vector<float> got = run(bytes, options), want = run(numbers, options);
    ASSERT_EQ(got.size(), want.size());
    ASSERT_TRUE(std::memcmp(got.data(), want.data(), want.size() * sizeof(float)) == 0)
        << options.device << ", isa " << (options.isa ? to_string(*options.isa) : "any") << ", threads "
        << options.threads;
  }
};

std::vector<PrepareOptions> everywhere() {
  std::vector<PrepareOptions> out{{.device = "reference", .threads = 1}};
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (!CpuInfo::detect().supports(isa)) continue;
    for (const int threads : {1, 3}) out.push_back({.isa = isa, .threads = threads});
  }
  return out;
}

TEST(Bytes, AnyNetworkGivesTheBitsOfItsNumbers) {
  int compared = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Graph graph = testing::RandomGraph(seed).make(15);
    if (graph.inputs.size() != 1 || extents(graph.value(graph.inputs[0]).spec).c > 4) continue;
    const Pair pair(graph, seed);
    for (const PrepareOptions& options : everywhere()) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      ASSERT_NO_FATAL_FAILURE(pair.expect_same(options));
    }
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

/// A picture whose numbers do not fit L2 of any processor we know, and first layers of every kind.
Graph picture_network(std::int64_t images, int side, int stride, std::int64_t channels) {
  Graph graph;
  std::mt19937 random(7);
  const auto floats = [&](std::int64_t count) {
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = std::uniform_real_distribution<float>(-1, 1)(random);
    return testing::constant(std::move(out));
  };
  const ValueId x = graph.add_input("x", {images, 512, 512 / channels, channels});
  ConvAttrs first{.oc = 8, .kh = side, .kw = side, .sh = stride, .sw = stride};
  first.pad = {side / 2, side / 2, side / 2, side / 2};
  first.weights = floats(8 * channels * side * side);
  const ValueId a = graph.add("a", first, {x});
  ConvAttrs second{
      .oc = 8, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .groups = 8, .pad = {1, 1, 1, 1}, .weights = floats(72)};
  graph.outputs = {graph.add("b", second, {a})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(Bytes, OfALargePictureBecomeNumbersBandByBand) {
  for (const std::int64_t channels : {1, 3, 4}) {
    for (const auto& [side, stride] : {std::pair(3, 1), std::pair(3, 2), std::pair(6, 2), std::pair(1, 1)}) {
      const Pair pair(picture_network(2, side, stride, channels), 5);
      SCOPED_TRACE(::testing::Message() << channels << " channels, " << side << " wide, stride " << stride);
      for (const PrepareOptions& options : everywhere()) {
        if (options.device == "reference") continue;  // too slow, and small networks have been there
        ASSERT_NO_FATAL_FAILURE(pair.expect_same(options));
      }
      EXPECT_EQ(pair.run(pair.bytes, {.threads = 2}), pair.run(pair.bytes, {.threads = 2, .disabled = {"chains"}}));
    }
  }
  const Pair pair(picture_network(1, 3, 1, 3), 5);
  const auto bytes = Executable::prepare(pair.bytes, {}), numbers = Executable::prepare(pair.numbers, {});
  ASSERT_TRUE(bytes.has_value() && numbers.has_value());
  ASSERT_EQ((*bytes)->chains().size(), 1u);
  EXPECT_EQ((*bytes)->graph().nodes[static_cast<std::size_t>((*bytes)->chains()[0].nodes[0])].name, "x.f32");
  EXPECT_EQ((*numbers)->memory().arena_bytes - (*bytes)->memory().arena_bytes, 3 * 512 * (512 / 3) * 3)
      << "one byte for four";
}

TEST(Bytes, HaveAnAddressOfTheirOwn) {
  const Pair pair(picture_network(1, 3, 1, 3), 5);
  const auto exec = Executable::prepare(pair.bytes, {});
  auto context = ExecutionContext::create(*exec, 1);
  ThreadPool pool(1);
  EXPECT_EQ(context->input(0).data, nullptr);
  ASSERT_NE(context->input(0).bytes, nullptr);
  pair.fill(context->input(0));
  std::vector<std::string> seen;
  context->run_observed(pool, [&](std::size_t node, const TensorRef& output) {
    EXPECT_NE(output.data, nullptr);
    EXPECT_EQ(output.bytes, nullptr);
    seen.push_back((*exec)->graph().nodes[node].name);
    if (seen.back() != "x.f32") return;
    EXPECT_EQ(output.data[0], static_cast<float>(pair.picture[0]) * pair.pixels.scale[0] + pair.pixels.shift[0]);
  });
  EXPECT_THAT(seen, ::testing::ElementsAre("x.f32", "a", "b"));
}

}  // namespace
}  // namespace tessera
