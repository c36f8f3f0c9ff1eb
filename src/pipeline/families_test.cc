#include "pipeline/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tessera/detector.h>

#include "model/facts.h"
#include "model/families.h"
#include "model/native/native.h"
#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::Picture;
using testing::HasSubstr;
using testing::SizeIs;

// A network that sees one look per 32x32 cell: every part is the red of the cell's first pixel times `weight` + bias.
struct Part {
  std::vector<float> bias;
  float weight = 0;  ///< of red, in the part's first channel
};

ValueId add_part(Graph& graph, const std::string& name, const Part& part) {
  const auto oc = static_cast<int>(part.bias.size());
  std::vector<float> weights(part.bias.size() * 3, 0.0f);
  weights[0] = part.weight;
  ConvAttrs conv{.oc = oc, .sh = 32, .sw = 32};
  conv.weights = std::make_shared<const std::vector<float>>(std::move(weights));
  conv.bias = std::make_shared<const std::vector<float>>(part.bias);
  const ValueId id = graph.add(name, conv, {graph.inputs.front()});
  graph.outputs.push_back(id);
  return id;
}

Model model_of(const std::string& family) {
  Model model{.name = family, .format = "test", .preprocess = {.width = 64, .height = 64}};
  model.graph.add_input("input", {1, 64, 64, 3});
  model.detector = DetectorSpec{.family = family, .classes = 2, .heads = {}};
  return model;
}

Model yolox() {
  Model model = model_of("yolox");
  DetectorHead head{.anchors = {}};
  head.output = add_part(model.graph, "box", {{0.5f, 0.5f, 0, -1}});
  head.objectness = add_part(model.graph, "objectness", {{-10}, 20});
  head.scores = add_part(model.graph, "scores", {{10, -10}});
  model.detector->heads.push_back(head);
  return model;
}

Model yolo26() {
  Model model = model_of("yolo26");
  DetectorHead head{.anchors = {}};
  head.output = add_part(model.graph, "box", {{0.75f, 0.5f, 0.5f, 0.5f}});  // overlaps the cell to the left
  head.scores = add_part(model.graph, "scores", {{-10, -10}, 20});
  model.detector->heads.push_back(head);
  return model;
}

Model yolov5(std::vector<std::array<float, 2>> anchors) {
  Model model = model_of("yolov5");
  DetectorHead head{.anchors = std::move(anchors)};
  head.output = add_part(model.graph, "head", {{0, 0, 0, 0, -10, 10, -10}});
  model.detector->heads.push_back(head);
  return model;
}

Result<Detector> load(const Model& model, DetectorOptions options = {}) {
  const std::string bytes = native_bytes(model);
  options.in_memory = ModelInMemory{model.name, std::as_bytes(std::span(bytes)), {}, {}};
  options.threads = 1;
  return Detector::load(options);
}

std::string load_error(const Model& model) {
  const auto detector = load(model);
  return detector ? "no error" : detector.error().message;
}

TEST(Families, AllOfTheModelsHaveARecipe) {
  for (const HeadFamily& family : head_families()) {
    DetectorHead head{.output = 0, .anchors = {}};
    if (!family.has_anchors && family.form == HeadForm::combined) head.anchors = {{1, 2}};
    const auto params = head_params({.family = std::string(family.name), .classes = 7, .heads = {head}});
    ASSERT_TRUE(params.has_value()) << params.error().message;
    EXPECT_NE(params->profile, boxdecode::Profile::None) << family.name;
    EXPECT_EQ(params->num_classes, 7);
    EXPECT_EQ(params->profile == boxdecode::Profile::AnchorGridV1, !head.anchors.empty()) << family.name;
  }
  EXPECT_THAT(head_params({.family = "ssd", .heads = {}}).error().message, HasSubstr("heads of family 'ssd'"));
}

TEST(Families, AnchorsOfTheModelTakeThePlaceOfTheFamilys) {
  const DetectorSpec spec{.family = "yolov7", .classes = 2, .heads = {{.output = 0, .anchors = {{16, 8}}}}};
  const auto params = head_params(spec);
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->profile, boxdecode::Profile::AnchorGridV1);
  ASSERT_THAT(params->anchor_grid, SizeIs(1));
  EXPECT_EQ(params->anchor_grid[0].formula, boxdecode::AnchorLevel::Formula::Square);
  EXPECT_EQ(params->score_activation, boxdecode::ScoreActivation::Sigmoid);
}

TEST(Families, SeveralTensorsPerHeadAreDecoded) {
  auto detector = load(yolox());
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  const auto found = detector->detect(Picture(64, 64, 255).view());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_THAT(*found, SizeIs(4));
  // Centre (0.5, 0.5) cells, 1 cell wide, 1/e high.
  const float half = 16.0f * std::exp(-1.0f);
  EXPECT_FLOAT_EQ((*found)[0].y1, 16 - half);
  EXPECT_FLOAT_EQ((*found)[0].y2, 16 + half);
  EXPECT_EQ((*found)[0].x1, 0);
  EXPECT_EQ((*found)[0].x2, 32);
  EXPECT_EQ((*found)[0].class_id, 0);
}

TEST(Families, FamiliesThatGiveOneBoxPerObjectAreNotSuppressed) {
  DetectorOptions options;
  auto detector = load(yolo26());
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  EXPECT_EQ(detector->nms_iou(), 0.0f);
  EXPECT_THAT(*detector->detect(Picture(64, 64, 255).view()), SizeIs(4));
  options.nms_iou = 0.1f;  // neighbours share a quarter of a cell: 8 of 72 columns
  detector = load(yolo26(), options);
  ASSERT_TRUE(detector.has_value());
  EXPECT_THAT(*detector->detect(Picture(64, 64, 255).view()), SizeIs(2));
  EXPECT_EQ(load(yolox())->nms_iou(), 0.45f);
}

TEST(Families, AFlippedLookIsMergedEvenWithoutSuppression) {
  Model model = yolo26();
  auto& bias = model.graph.nodes[1].attrs;
  std::get<ConvAttrs>(bias).bias = std::make_shared<const std::vector<float>>(4, 0.5f);  // symmetric: the cell itself
  DetectorOptions options;
  options.flip = true;
  auto detector = load(model, options);
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  EXPECT_THAT(*detector->detect(Picture(64, 64, 255).view()), SizeIs(4));
}

TEST(Families, PhotosMayLieAtTheTopLeft) {
  Model model = yolox();
  model.preprocess.resize = ResizeMode::letterbox;
  model.preprocess.align = PhotoAlign::top_left;
  model.preprocess.fill = 0;
  auto detector = load(model);
  ASSERT_TRUE(detector.has_value()) << detector.error().message;
  const auto found = detector->detect(Picture(128, 64, 255).view());  // the upper half of the canvas
  ASSERT_TRUE(found.has_value());
  ASSERT_THAT(*found, SizeIs(2));
  const float half = 16.0f * std::exp(-1.0f);
  EXPECT_FLOAT_EQ((*found)[0].y1, 2 * (16 - half));
  EXPECT_EQ((*found)[0].x2, 64);
}

TEST(Families, HeadsMustFitTheirFamily) {
  EXPECT_EQ(load_error(yolov5({{8, 8}})), "no error");
  EXPECT_THAT(load_error(yolov5({})), HasSubstr("head 0: has 7 channels, 3 anchors and 2 classes want 21"));
  Model model = yolox();
  model.detector->family = "yolov8";
  EXPECT_THAT(load_error(model), HasSubstr("head 0: has not the tensors of family yolov8"));
  model.detector->family = "yolo99";
  EXPECT_THAT(load_error(model), HasSubstr("heads of family 'yolo99'; want one of anchor-grid, yolo11"));
  model = yolo26();
  model.detector->family = "yolov8";
  EXPECT_THAT(load_error(model), HasSubstr("head 0: has boxes of 4 channels, family yolov8 wants 64"));
  model.detector->family = "yolov6";
  EXPECT_EQ(load_error(model), "no error");
  model.detector->heads[0].anchors = {{1, 1}};
  EXPECT_THAT(load_error(model), HasSubstr("head 0: has anchors, family yolov6 knows none"));
  model = yolox();
  std::swap(model.detector->heads[0].objectness, model.detector->heads[0].scores);
  EXPECT_THAT(load_error(model), HasSubstr("head 0: is not the graph's output of the same number"));
  std::swap(model.graph.outputs[1], model.graph.outputs[2]);
  EXPECT_THAT(load_error(model), HasSubstr("head 0: has objectness of 2 channels, want 1"));
  model = yolox();
  model.detector->heads[0].output = kNone;
  EXPECT_THAT(load_error(model), HasSubstr("head 0:"));
  model = yolox();
  model.detector->classes = 3;
  EXPECT_THAT(load_error(model), HasSubstr("head 0: has scores of 2 channels for 3 classes"));
  model.graph.outputs.push_back(model.graph.inputs.front());
  EXPECT_THAT(load_error(model), HasSubstr("1 heads of 3 tensors for 4 graph outputs; want as many"));
}

}  // namespace
}  // namespace tessera
