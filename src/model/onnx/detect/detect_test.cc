#include "model/onnx/detect/detect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/onnx/detect/test_exports.h"

namespace tessera::onnx {
namespace {

using test::AnchorStyle;
using test::export_anchors;
using test::export_distances;
using test::export_yolox;
using test::Exporter;
using test::Style;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Result<Found> find(const Exporter& e, const ByHand& by_hand = {}) {
  const auto cut = heads_of(e.graph, by_hand);
  if (!cut) return cut.error();
  return find_detector(e.graph, *cut, by_hand, e.shape_of());
}

std::string reason(const Exporter& e, const ByHand& by_hand = {}) {
  const auto found = find(e, by_hand);
  return found ? "found " + found->account : found.error().message;
}

/// Channels of the tensors of each head.
std::vector<std::int64_t> channels(const Found& found) {
  std::vector<std::int64_t> out;
  for (const Found::Tensor& tensor : found.tensors) out.push_back(tensor.count);
  return out;
}

struct Case {
  const char* name;
  Style style;
  const char* family;
};

class Distances : public testing::TestWithParam<Case> {};

TEST_P(Distances, AreFound) {
  const auto& [name, style, family] = GetParam();
  const auto found = find(export_distances(style));
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->spec.family, family) << found->account;
  EXPECT_EQ(found->spec.classes, style.classes);
  EXPECT_FALSE(found->spec.activated);
  EXPECT_EQ(found->spec.nms_iou, style.best > 0 ? 0.0f : 0.45f);
  ASSERT_THAT(found->spec.heads, SizeIs(3));
  const std::int64_t box = 4 * style.bins, classes = style.classes;
  EXPECT_THAT(channels(*found), ElementsAre(box, classes, box, classes, box, classes));
  EXPECT_EQ(found->tensors[1].begin, style.joined ? box : 0);
  EXPECT_EQ(found->tensors[1].whole, !style.joined);
  EXPECT_EQ(found->preprocess.resize, ResizeMode::letterbox);
  EXPECT_EQ(found->preprocess.align, PhotoAlign::center);
  EXPECT_EQ(found->preprocess.fill, 114);
  EXPECT_EQ(found->preprocess.order, ColorOrder::rgb);
  EXPECT_EQ(found->preprocess.scale, 1.0f / 255.0f);
  EXPECT_EQ(found->preprocess.width, 64);
}

INSTANTIATE_TEST_SUITE_P(
    Exports, Distances,
    testing::Values(Case{"v8", {}, "yolov8"},                                            //
                    Case{"v8_joined", {.joined = true}, "yolov8"},                       //
                    Case{"v8_transposed", {.transposed = true}, "yolov8"},               //
                    Case{"v8_logits", {.sigmoid = false}, "yolov8"},                     //
                    Case{"v8_matmul", {.matmul = true}, "yolov8"},                       //
                    Case{"v8_separate", {.corners = true, .separate = true}, "yolov8"},  //
                    Case{"v8_separate_rows", {.transposed = true, .separate = true}, "yolov8"},
                    Case{"v8_raw", {.raw = true}, "yolov8"},           //
                    Case{"v8_64_classes", {.classes = 64}, "yolov8"},  //
                    Case{"v8_one_class", {.classes = 1}, "yolov8"},    //
                    Case{"v6_small", {.bins = 1, .transposed = true, .objectness_of_one = true}, "yolov6"},
                    Case{"v6_large", {.bins = 17, .transposed = true, .objectness_of_one = true}, "yolov6"},
                    Case{"v10", {.corners = true, .best = 20}, "yolov10"},      //
                    Case{"v10_all", {.corners = true, .best = 84}, "yolov10"},  //
                    Case{"v10_one_class", {.classes = 1, .corners = true, .best = 20}, "yolov10"},
                    Case{"v26", {.bins = 1, .corners = true, .best = 20}, "yolo26"},  //
                    Case{"v26_without_top_k", {.bins = 1}, "yolov6"}),
    [](const auto& info) { return info.param.name; });

TEST(FindDetector, YoloxWithAndWithoutDecoding) {
  for (const bool decoded : {false, true}) {
    const auto found = find(export_yolox(5, decoded));
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_EQ(found->spec.family, "yolox");
    EXPECT_EQ(found->spec.classes, 5);
    EXPECT_THAT(channels(*found), ElementsAre(4, 1, 5, 4, 1, 5, 4, 1, 5));
    EXPECT_EQ(found->preprocess.align, PhotoAlign::top_left);
    EXPECT_EQ(found->preprocess.order, ColorOrder::bgr);
    EXPECT_EQ(found->preprocess.scale, 1.0f);
    EXPECT_THAT(found->account, HasSubstr(decoded ? "cxcywh in pixels" : "undecoded boxes"));
  }
  EXPECT_EQ(find(export_yolox(1, false))->spec.classes, 1);
}

class Anchors : public testing::TestWithParam<AnchorStyle> {};

TEST_P(Anchors, AreReadOffTheTail) {
  const auto found = find(export_anchors(GetParam()));
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->spec.family, GetParam().exp ? "yolov3" : "yolov5");
  EXPECT_EQ(found->spec.classes, GetParam().classes);
  ASSERT_THAT(found->spec.heads, SizeIs(3));
  for (std::size_t l = 0; l < 3; ++l) {
    const auto& want = test::kAnchors[l];
    EXPECT_THAT(found->spec.heads[l].anchors,
                ElementsAre(std::array{want[0], want[1]}, std::array{want[2], want[3]}, std::array{want[4], want[5]}));
    EXPECT_EQ(found->spec.heads[l].scale_xy, GetParam().exp ? GetParam().scale_xy : 1.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(Exports, Anchors,
                         testing::Values(AnchorStyle{}, AnchorStyle{.per_level = true},
                                         AnchorStyle{.cells_first = true}, AnchorStyle{.corners = true},
                                         AnchorStyle{.classes = 80}, AnchorStyle{.classes = 1},
                                         AnchorStyle{.exp = true}, AnchorStyle{.exp = true, .scale_xy = 1.05f}));

TEST(FindDetector, SaysWhyThereIsNone) {
  EXPECT_THAT(reason(export_distances({.top_stride = 31})),
              AllOf(HasSubstr("found strides 8, 16, 32 with 64 + 3 channels, but read as columns x rows with cxcywh in "
                              "pixels, row 80 column 0 is"),
                    HasSubstr("where the formula of yolov8 gives"), HasSubstr("--family NAME")));
  EXPECT_THAT(reason(export_anchors({.raw = true})), HasSubstr("so that the anchors are not in the graph"));
  EXPECT_THAT(reason(export_distances({.bins = 1, .raw = true})), HasSubstr("YOLOv6 and YOLO26 look like this"));
  EXPECT_THAT(reason(export_distances({.bins = 8})), HasSubstr("with 32 + 3 channels, but no family of detectors"));

  Exporter e;
  e.graph.outputs = {e.node("Sigmoid", {e.graph.inputs.front().value})};
  EXPECT_THAT(reason(e), HasSubstr("output 'Sigmoid_0_0' sees input 'images' without a convolution between them"));
  e = Exporter();
  e.graph.outputs = {e.constant(real_tensor({1}, {1}))};
  EXPECT_EQ(reason(e), "no output comes from a convolution");
  e = export_distances({});
  e.shapes[e.graph.nodes[0].outputs[0]] = {2, 64, 8, 8};
  EXPECT_THAT(reason(e), HasSubstr("head 'Conv_0_0': is a batch of 2: want 1"));
  e.shapes[e.graph.nodes[0].outputs[0]] = {1, 64, 9, 9};
  EXPECT_THAT(reason(e), HasSubstr("heads of 9x9 cells on an input of 64x64 have no whole stride"));
  e.shapes[e.graph.nodes[0].outputs[0]] = {1, 1 << 24, 4, 4};
  EXPECT_THAT(reason(e), HasSubstr("numbers, want up to 67108864"));
  e.shapes.erase(e.graph.nodes[0].outputs[0]);
  EXPECT_THAT(reason(e), HasSubstr("its extents are not known"));
}

TEST(FindDetector, TakesBoxesAndScoresBeforeASuppression) {
  Exporter e = export_distances({.corners = true, .separate = true});
  const int boxes = e.transpose(e.graph.outputs[0], {0, 2, 1});
  e.graph.outputs = {e.node("NonMaxSuppression", {boxes, e.graph.outputs[1]})};
  const auto found = find(e);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->spec.family, "yolov8");
}

TEST(FindDetector, ShapesInTheTailAreThoseOfTheNetwork) {
  Exporter e = export_distances({});
  // [1, 7, A] -> its own shape -> Reshape: as graphs with symbolic extents do it, from a head's shape.
  const int head = e.graph.nodes[0].outputs[0];
  const int batch = e.node("Gather", {e.node("Shape", {head}), e.constant(integer_tensor({1}, {0}))});
  e.graph.outputs = {e.node("Reshape", {e.graph.outputs[0], e.concat({batch, e.ints({7, -1})}, 0)})};
  EXPECT_TRUE(find(e).has_value()) << reason(e);
}

TEST(FindDetector, MetadataIsReadAndHeldAgainstTheGraph) {
  Exporter e = export_distances({});
  e.graph.metadata = {{"names", "{0: 'person', 1: \"hen's egg\", 2: 'dog'}"},
                      {"stride", "32"},
                      {"task", "detect"},
                      {"imgsz", "[640, 640]"}};
  auto found = find(e);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_THAT(found->class_names, ElementsAre("person", "hen's egg", "dog"));
  EXPECT_THAT(found->account, HasSubstr("exported for 640x640"));
  e.graph.metadata["stride"] = "64";
  EXPECT_THAT(reason(e), HasSubstr("metadata says stride 64 for 32"));
  e.graph.metadata["stride"] = "many";
  EXPECT_THAT(reason(e), HasSubstr("metadata key 'stride' is 'many': want a number"));
  e.graph.metadata = {{"names", "['a', 'b']"}};
  EXPECT_THAT(reason(e), HasSubstr("metadata has 2 names for 3 classes"));
  e.graph.metadata = {{"task", "segment"}};
  EXPECT_THAT(reason(e), HasSubstr("metadata says task 'segment', want detect"));
  EXPECT_TRUE(find(e, {.family = "yolov8"}).has_value()) << "a word given by hand stands above it";
}

TEST(FindDetector, PixelsThatTheGraphDividesStayWhole) {
  Exporter e = export_distances({});
  e.node("Div", {e.graph.inputs.front().value, e.number(255)});
  EXPECT_EQ(find(e)->preprocess.scale, 1.0f);
}

TEST(ByHand, TheFamilyDecidesWhatTheGraphLeavesOpen) {
  const auto found = find(export_anchors({.raw = true}), {.family = "yolov7"});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->spec.family, "yolov7");
  EXPECT_EQ(found->spec.classes, 3);
  EXPECT_THAT(found->spec.heads[0].anchors, SizeIs(0));
  EXPECT_EQ(find(export_distances({.bins = 1, .raw = true}), {.family = "yolo26"})->spec.family, "yolo26");
  EXPECT_THAT(reason(export_distances({}), {.family = "yolox"}),
              HasSubstr("--family yolox: does not fit heads of strides 8, 16, 32 with 64 + 3 channels"));
  EXPECT_THAT(reason(export_distances({}), {.family = "ssd"}), HasSubstr("--family ssd: want one of anchor-grid"));
  EXPECT_THAT(reason(export_distances({}), {.family = "anchor-grid"}), HasSubstr("whose anchors are known"));
}

TEST(ByHand, HeadsAreValuesOrNodes) {
  const Exporter e = export_distances({.bins = 1, .raw = true});
  // Per level: the convolution of boxes, the convolution of scores, its sigmoid.
  const ByHand words{"yolov6", "Conv_0:Sigmoid_2_0,Conv_3_0:Sigmoid_5,Conv_6:Sigmoid_8"};
  Exporter with_shapes = e;
  for (const IrNode& node : e.graph.nodes) {
    if (node.op == "Sigmoid") with_shapes.shapes[node.outputs[0]] = e.shapes.at(node.inputs[0]);
  }
  const auto found = find(with_shapes, words);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_TRUE(found->spec.activated) << "the scores went through a sigmoid";
  EXPECT_THAT(channels(*found), ElementsAre(4, 3, 4, 3, 4, 3));
  EXPECT_FALSE(find(e, {"yolov6", "Conv_0:Conv_1,Conv_3:Conv_4,Conv_6:Conv_7"})->spec.activated);

  EXPECT_THAT(reason(e, {"yolov6", "Conv_0:Conv_99"}), HasSubstr("--heads: the graph has no value or node 'Conv_99'"));
  EXPECT_THAT(reason(e, {"", "Conv_0:Conv_1"}), HasSubstr("--heads wants --family as well"));
  EXPECT_THAT(reason(e, {"yolov6", "Conv_0"}), HasSubstr("family yolov6 wants box:score on every level"));
  EXPECT_THAT(reason(e, {"yolov6", "Conv_0:Conv_4"}), HasSubstr("names of one level differ in size"));
}

TEST(ByHand, NamesMayContainColons) {
  Exporter e = export_distances({.bins = 1, .raw = true});
  e.graph.values[e.graph.nodes[0].outputs[0]].name = "box:0";
  e.graph.values[e.graph.nodes[1].outputs[0]].name = "score:0";
  EXPECT_TRUE(find(e, {"yolov6", "box:0:score:0"}).has_value()) << reason(e, {"yolov6", "box:0:score:0"});
}

TEST(Attach, MakesTheHeadsTheOutputs) {
  const auto found = find(export_distances({.joined = true}));
  ASSERT_TRUE(found.has_value());
  Model model;
  const ValueId input = model.graph.add_input("images", {1, 64, 64, 3});
  std::vector<ValueId> values;
  for (const Found::Tensor& tensor : found->tensors) {
    values.push_back(tensor.begin == 0 ? model.graph.add("head", IdentityAttrs{}, {input}) : values.back());
  }
  attach(*found, values, model);
  EXPECT_THAT(model.graph.outputs, SizeIs(6));
  EXPECT_EQ(model.detector->heads[0].output, model.graph.outputs[0]);
  EXPECT_EQ(model.detector->heads[2].scores, model.graph.outputs[5]);
  const auto& slice = std::get<SliceAttrs>(model.graph.producer(model.graph.outputs[1]).attrs);
  EXPECT_EQ(slice.begin, 64);
  EXPECT_EQ(slice.count, 3);
}

}  // namespace
}  // namespace tessera::onnx
