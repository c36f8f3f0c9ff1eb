// What a plan tells about itself, and that fixed profiles are anchor grids.

#include <gtest/gtest.h>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodePlan, ReportsSizesRoutesAndCutoffs) {
  Case c = yolo_v4_case(80);
  c.params.profile = Profile::YoloV5V1;
  c.params.model_input_size = {640, 640};
  c.params.max_detections = 16;
  for (int i = 0; i < 3; ++i)
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::BFloat16, 80 >> i, 80 >> i, 255, 256);
  c.fit_outputs();
  c.params.detection_threshold = 0.25f;
  const Plan plan = check_inference(c.request()).value();
  EXPECT_EQ(plan.input_bytes(0), 3'276'800u);
  EXPECT_EQ(plan.input_bytes(1), 819'200u);
  EXPECT_EQ(plan.input_bytes(2), 204'800u);
  EXPECT_EQ(plan.input_alignment(0), 2u);
  EXPECT_EQ(plan.output_bytes(0), 256u);
  EXPECT_EQ(plan.output_bytes(1), 64u);
  EXPECT_EQ(plan.output_bytes(2), 64u);
  EXPECT_EQ(plan.output_bytes(3), 4u);
  EXPECT_EQ(plan.output_bytes(4), 0u);
  EXPECT_EQ(plan.workspace_alignment(), 64u);
  EXPECT_EQ(plan.head_count(), 3u);
  EXPECT_EQ(plan.image_count(), 1u);
  EXPECT_EQ(plan.route(2), Route::CombinedDense);
  EXPECT_STREQ(to_string(plan.route(2)), "CombinedDense");
  EXPECT_EQ(plan.cutoffs(1).score, 0x4073);
  c.params.multi_label = true;
  EXPECT_EQ(check_inference(c.request())->route(0), Route::MultiLabelGeneric);
}

// A profile with fixed anchors equals the anchor grid that spells them out, bit for bit.
TEST(BoxDecodePlan, FixedProfilesEqualTheirAnchorGrids) {
  const std::vector<std::array<float, 2>> small[] = {
      {{10, 13}, {16, 30}, {33, 23}}, {{30, 61}, {62, 45}, {59, 119}}, {{116, 90}, {156, 198}, {373, 326}}};
  const std::vector<std::array<float, 2>> large[] = {
      {{12, 16}, {19, 36}, {40, 28}}, {{36, 75}, {76, 55}, {72, 146}}, {{142, 110}, {192, 243}, {459, 401}}};
  const float scale[] = {1.2f, 1.1f, 1.05f}, offset[] = {0.1f, 0.05f, 0.025f};
  for (const Profile profile :
       {Profile::YoloV3V1, Profile::YoloV4V1, Profile::YoloV5V1, Profile::YoloV7V1, Profile::YoloV7TinyV1}) {
    Case fixed = yolo_v4_case(3);
    fixed.params.profile = profile;
    fixed.params.detection_threshold = 0.1f;
    fixed.params.max_detections = 300;
    fixed.fit_outputs(DType::Float32);
    std::uint32_t state = 1;
    for (std::size_t port = 0; port < 3; ++port) {
      for (std::int64_t i = 0; i < fixed.inputs[port].shape[0] * fixed.inputs[port].shape[1] * 24; ++i) {
        state = state * 1664525u + 1013904223u;
        const float v = static_cast<float>(state >> 8) / 4194304.0f - 2.0f;
        std::memcpy(fixed.bytes[port].data() + i * 4, &v, 4);
      }
    }
    Case grid = fixed;
    grid.params.profile = Profile::AnchorGridV1;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool is_large = profile == Profile::YoloV4V1 || profile == Profile::YoloV7V1;
      const auto& anchors = is_large ? large[i] : small[i];
      if (profile == Profile::YoloV3V1) grid.params.anchor_grid.push_back(AnchorLevel::exp(1, 0, anchors));
      if (profile == Profile::YoloV4V1)
        grid.params.anchor_grid.push_back(AnchorLevel::exp(scale[i], offset[i], anchors));
      if (grid.params.anchor_grid.size() == i) grid.params.anchor_grid.push_back(AnchorLevel::square(anchors));
    }
    const Outcome a = run(fixed).value(), b = run(grid).value();
    EXPECT_GT(ints(a.outputs[3])[0], 20) << to_string(profile);
    EXPECT_EQ(difference(b, a), "") << to_string(profile);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
