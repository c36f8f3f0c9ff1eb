// The public networks in testdata/models (written by tools/models/make_darknet.py) against published figures: numbers
// in the authors' weights files, multiply-accumulates as half of the BFLOPs that Darknet prints for convolutions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <numeric>

#include "base/file_bytes.h"
#include "model/load.h"

namespace tessera {
namespace {

struct Network {
  const char* name;
  InputSize size;
  std::int64_t numbers;  ///< all four of batch norm
  std::int64_t macs;
  std::size_t convolutions, heads;
};
void PrintTo(const Network& network, std::ostream* out) { *out << network.name; }

/// Zeros that the operating system hands out only when they are read, with a valid header in front.
struct ZeroWeights {
  explicit ZeroWeights(std::size_t numbers) : size(20 + 4 * numbers), bytes(std::calloc(size, 1), std::free) {
    static_cast<char*>(bytes.get())[4] = 2;
  }
  std::span<const std::byte> span() const { return {static_cast<const std::byte*>(bytes.get()), size}; }
  std::size_t size;
  std::unique_ptr<void, decltype(&std::free)> bytes;
};

Result<Model> load(const Network& network, std::span<const std::byte> weights) {
  const auto cfg = FileBytes::open(std::string(TESSERA_TESTDATA "/models/") + network.name + ".cfg", kMaxTextBytes);
  if (!cfg) return cfg.error();
  return load_model(ModelBytes{
      .name = network.name, .model = cfg->bytes(), .weights = weights, .names = {}, .size = network.size, .log = {}});
}

class PublicNetwork : public testing::TestWithParam<Network> {};

TEST_P(PublicNetwork, HasThePublishedFigures) {
  const Network& want = GetParam();
  const ZeroWeights weights(static_cast<std::size_t>(want.numbers));
  const auto model = load(want, weights.span());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  const auto& nodes = model->graph.nodes;
  const auto total =
      std::accumulate(nodes.begin(), nodes.end(), std::int64_t{0},
                      [&](std::int64_t sum, const Node& node) { return sum + macs(model->graph, node); });
  EXPECT_EQ(total, want.macs);
  EXPECT_EQ(
      std::ranges::count_if(nodes, [](const Node& node) { return std::holds_alternative<ConvAttrs>(node.attrs); }),
      static_cast<std::ptrdiff_t>(want.convolutions));
  ASSERT_TRUE(model->detector.has_value());
  EXPECT_EQ(model->detector->classes, 80);
  EXPECT_EQ(model->detector->heads.size(), want.heads);
}

// yolov3: 62,001,757 numbers in the published file, 65.86 BFLOPs at 416. yolov4: 64,429,405 (64.33 M with batch norm
// folded), 60.1 BFLOPs at 416, 110 convolutions. yolov4-csp: 52,986,205. yolov4-tiny: 6,062,814, 6.9 BFLOPs.
// yolov3-tiny: 8,858,734, 5.57 BFLOPs. enet-coco: 3.7 BFLOPs at 416. yolov7-tiny: 6.2 M parameters, 13.7 BFLOPs at 640.
INSTANTIATE_TEST_SUITE_P(Darknet, PublicNetwork,
                         testing::Values(Network{"enet-coco", {416, 416}, 4808270, 1865064256, 88, 2},
                                         Network{"yolov3", {416, 416}, 62001757, 32932037632, 75, 3},
                                         Network{"yolov3-tiny", {416, 416}, 8858734, 2782480896, 13, 2},
                                         Network{"yolov4", {416, 416}, 64429405, 30052385792, 110, 3},
                                         Network{"yolov4-csp", {512, 512}, 52986205, 38476709888, 115, 3},
                                         Network{"yolov4-tiny", {416, 416}, 6062814, 3453938176, 21, 2},
                                         Network{"yolov4-tiny-3l", {608, 608}, 6334045, 8867684864, 24, 3},
                                         Network{"yolov7-tiny", {640, 640}, 6241885, 6850355200, 58, 3}),
                         [](const auto& param) {
                           std::string name = param.param.name;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(PublicNetworks, Yolov4HeadsHaveTheirScales) {
  const Network yolov4{"yolov4", {64, 96}, 64429405, 0, 0, 0};
  const ZeroWeights weights(64429405);
  const auto model = load(yolov4, weights.span());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  const auto& heads = model->detector->heads;
  const Shape shapes[] = {{1, 8, 12, 255}, {1, 4, 6, 255}, {1, 2, 3, 255}};
  const float scales[] = {1.2f, 1.1f, 1.05f};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(model->graph.value(heads[i].output).spec.shape, shapes[i]);
    EXPECT_EQ(heads[i].scale_xy, scales[i]);
  }
  EXPECT_EQ(heads[2].anchors[2], (std::array<float, 2>{459, 401}));
}

}  // namespace
}  // namespace tessera
