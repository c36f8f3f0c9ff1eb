// The published Darknet models in TESSERA_DATA: weights files of exactly the wanted length, shapes, heads, figures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "model/load.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::filesystem::path data() {
  const char* set = std::getenv("TESSERA_DATA");
  return std::filesystem::path(set != nullptr ? set : TESSERA_DATA_DEFAULT) / "models" / "darknet";
}

struct Published {
  const char* name;
  const char* names;
  int height, width, classes;
  std::int64_t numbers;  ///< (size of the weights file - 20 bytes) / 4
  std::vector<Shape> heads;
};

void PrintTo(const Published& model, std::ostream* out) { *out << model.name; }

/// Numbers in the file: all constants, batch norm unfolded.
std::int64_t count_numbers(const Graph& graph) {
  std::int64_t count = 0;
  const auto add = [&](const Constant& constant) {
    count += constant ? static_cast<std::int64_t>(constant->size()) : 0;
  };
  for (const Node& node : graph.nodes) {
    if (const auto* conv = std::get_if<ConvAttrs>(&node.attrs)) add(conv->weights), add(conv->bias);
    if (const auto* bn = std::get_if<BatchNormAttrs>(&node.attrs)) {
      add(bn->gamma), add(bn->beta), add(bn->mean), add(bn->variance);
    }
  }
  return count;
}

class PublishedModel : public testing::TestWithParam<Published> {};

TEST_P(PublishedModel, LoadsWithShapesAndNumbers) {
  const Published& want = GetParam();
  if (!std::filesystem::exists(data())) GTEST_SKIP() << "no real models at " << data();
  const auto model =
      load_model(LoadOptions{.model = data() / (std::string(want.name) + ".cfg"), .names = data() / want.names});
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->format, "darknet");
  EXPECT_EQ(model->preprocess.height, want.height);
  EXPECT_EQ(model->preprocess.width, want.width);
  ASSERT_TRUE(model->detector.has_value());
  EXPECT_EQ(model->detector->classes, want.classes);
  EXPECT_THAT(model->class_names, SizeIs(want.classes));
  EXPECT_EQ(count_numbers(model->graph), want.numbers);
  std::vector<Shape> heads;
  for (ValueId id : model->graph.outputs) heads.push_back(model->graph.value(id).spec.shape);
  EXPECT_EQ(heads, want.heads);
}

INSTANTIATE_TEST_SUITE_P(
    Darknet, PublishedModel,
    testing::Values(
        Published{"yolo-fastest-1.1", "coco.names", 320, 320, 80, 346062, {{1, 10, 10, 255}, {1, 20, 20, 255}}},
        Published{"yolo-fastest-1.1-xl", "coco.names", 320, 320, 80, 923486, {{1, 10, 10, 255}, {1, 20, 20, 255}}},
        Published{"yolo-fastest-1.1_body", "body.names", 320, 320, 1, 294396, {{1, 10, 10, 18}, {1, 20, 20, 18}}},
        Published{
            "MobileNetV2-YOLOv3-Nano-coco", "coco.names", 320, 320, 80, 891070, {{1, 10, 10, 255}, {1, 20, 20, 255}}},
        Published{
            "MobileNetV2-YOLO-Fastest-voc", "voc.names", 320, 320, 20, 191214, {{1, 10, 10, 75}, {1, 20, 20, 75}}},
        Published{
            "MobileNetV2-YOLO-Fastest-voc-v2", "voc.names", 320, 320, 20, 209864, {{1, 10, 10, 75}, {1, 20, 20, 75}}},
        Published{"yoloface-50k", "face.names", 56, 56, 1, 11248, {{1, 7, 7, 18}}},
        Published{
            "yoloface-500k-v2", "face.names", 288, 352, 1, 104624, {{1, 9, 11, 18}, {1, 18, 22, 18}, {1, 36, 44, 18}}}),
    [](const auto& param) {
      std::string name = param.param.name;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

TEST(PublishedModels, HeadsOfYoloFastestCarryAnchorsInFileOrder) {
  if (!std::filesystem::exists(data())) GTEST_SKIP() << "no real models at " << data();
  const auto model = load_model(LoadOptions{.model = data() / "yolo-fastest-1.1.cfg"});
  ASSERT_TRUE(model.has_value()) << model.error().message;
  ASSERT_THAT(model->detector->heads, SizeIs(2));
  const auto& [coarse, fine] = std::tie(model->detector->heads[0], model->detector->heads[1]);
  EXPECT_EQ(coarse.output, model->graph.outputs[0]);
  EXPECT_EQ(fine.output, model->graph.outputs[1]);
  EXPECT_THAT(coarse.anchors,
              ElementsAre(std::array{115.0f, 73.0f}, std::array{119.0f, 199.0f}, std::array{242.0f, 238.0f}));
  EXPECT_THAT(fine.anchors, ElementsAre(std::array{12.0f, 18.0f}, std::array{37.0f, 49.0f}, std::array{52.0f, 132.0f}));
}

TEST(PublishedModels, TakeOtherSizesInMultiplesOfTheStride) {
  if (!std::filesystem::exists(data())) GTEST_SKIP() << "no real models at " << data();
  const auto load = [](InputSize size) {
    return load_model(LoadOptions{.model = data() / "yolo-fastest-1.1.cfg", .size = size});
  };
  const auto wide = load({256, 416});
  ASSERT_TRUE(wide.has_value()) << wide.error().message;
  EXPECT_EQ(wide->graph.value(wide->graph.outputs[1]).spec.shape, (Shape{1, 16, 26, 255}));
  const auto odd = load({330, 320});
  ASSERT_FALSE(odd.has_value());
  EXPECT_EQ(odd.error().message,
            "input size 330x320 (height x width): the network wants both sides multiples of 32, at most 16384");
}

}  // namespace
}  // namespace tessera
