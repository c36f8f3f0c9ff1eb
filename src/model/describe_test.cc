#include "model/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/test_models.h"

namespace tessera {
namespace {

using testing::ElementsAre;

constexpr std::string_view kCfg = R"([net]
width=8
height=4
letter_box=1
[convolutional]
batch_normalize=1
filters=6
size=3
stride=2
pad=1
groups=3
activation=mish
[convolutional]
filters=7
activation=linear
[yolo]
anchors=10,14
classes=2
scale_x_y=1.1
)";

TEST(Describe, CountsParametersAndMacs) {
  const auto model = load_cfg(kCfg, 4 * 6 + 6 * 9 + 7 + 42, "cat\ndog\n");
  ASSERT_TRUE(model.has_value()) << model.error().message;
  const ModelFacts facts = describe(*model);
  ASSERT_EQ(facts.layers.size(), 5u);
  const LayerFacts& conv = facts.layers[1];
  EXPECT_EQ(conv.name, "conv_0");
  EXPECT_EQ(conv.op, "conv");
  EXPECT_EQ(conv.detail, "3x3 /2 g3");
  EXPECT_EQ(conv.shape, (Shape{1, 2, 4, 6}));
  EXPECT_EQ(conv.parameters, 54);
  EXPECT_EQ(conv.macs, 2 * 4 * 54);
  EXPECT_THAT(conv.inputs, ElementsAre("input"));
  EXPECT_EQ(facts.layers[3].detail, "mish");
  EXPECT_EQ(facts.layers[4].macs, 2 * 4 * 42);
  EXPECT_EQ(facts.macs, 2 * 4 * 96);
  EXPECT_THAT(facts.outputs, ElementsAre("conv_1"));
}

TEST(Describe, TextShowsTheContractAndOneLinePerLayer) {
  const auto model = load_cfg(kCfg, 4 * 6 + 6 * 9 + 7 + 42);
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(to_text(describe(*model)),
            R"(model       t.cfg (darknet)
input       4x8x3 (height x width x channels), letterbox with 128, rgb, pixel * 0.003921569
detector    anchor-grid, 2 classes, nms iou 0.45
  head 0    conv_1, anchors 10x14, scale_xy 1.1
parameters  127
macs        768

layer        op          detail     output   parameters  macs  inputs
input        input                  1x4x8x3           -     -
conv_0       conv        3x3 /2 g3  1x2x4x6          54   432  input
conv_0.bn    batch_norm             1x2x4x6          24     -  conv_0
conv_0.mish  activation  mish       1x2x4x6           -     -  conv_0.bn
conv_1       conv        1x1        1x2x4x7          49   336  conv_0.mish
)");
}

TEST(Describe, NamesMeanAndStdWhenTheyDoSomething) {
  Preprocess p{.width = 3, .height = 2, .order = ColorOrder::bgr, .scale = 1.0f, .mean = {1, 2, 3}, .std = {4, 5, 6}};
  EXPECT_EQ(describe(p), "2x3x3 (height x width x channels), stretch, bgr, pixel * 1 - (1, 2, 3), / (4, 5, 6)");
}

}  // namespace
}  // namespace tessera
