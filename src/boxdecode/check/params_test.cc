// One row per rule on parameters, profile and heads. Bounds are tried on both sides.

#include "boxdecode/testing/rules.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodeCheck, ValidRequestsAreAccepted) {
  GOOD(yolo_v4_case(), (void)c);
  GOOD(bf16_case(), (void)c);
  GOOD(int8_case(), (void)c);
  GOOD(grid_case(), (void)c);
}

TEST(BoxDecodeCheck, Thresholds) {
  GOOD(yolo_v4_case(), c.params.detection_threshold = 0.0f);
  GOOD(yolo_v4_case(), c.params.detection_threshold = -0.0f);
  GOOD(yolo_v4_case(), c.params.detection_threshold = float_of(0x3F7FFFFF));
  BAD(yolo_v4_case(), c.params.detection_threshold = 1.0f, InvalidDetectionThreshold);
  BAD(yolo_v4_case(), c.params.detection_threshold = float_of(0x80000001), InvalidDetectionThreshold);
  BAD(yolo_v4_case(), c.params.detection_threshold = kNan, InvalidDetectionThreshold);
  BAD(yolo_v4_case(), c.params.detection_threshold = kInf, InvalidDetectionThreshold);
  GOOD(yolo_v4_case(), c.params.nms_iou_threshold = 0.0f);
  GOOD(yolo_v4_case(), c.params.nms_iou_threshold = 1.0f);
  BAD(yolo_v4_case(), c.params.nms_iou_threshold = float_of(0x3F800001), InvalidNmsThreshold);
  BAD(yolo_v4_case(), c.params.nms_iou_threshold = float_of(0x80000001), InvalidNmsThreshold);
  BAD(yolo_v4_case(), c.params.nms_iou_threshold = kNan, InvalidNmsThreshold);
}

void set_k(Case& c, std::int32_t k) {
  c.params.max_detections = k;
  c.fit_outputs();
}

TEST(BoxDecodeCheck, CapacityAndExtents) {
  GOOD(yolo_v4_case(), set_k(c, 1));
  GOOD(yolo_v4_case(), set_k(c, 65'536));
  BAD(yolo_v4_case(), set_k(c, 0), InvalidCapacity);
  BAD(yolo_v4_case(), set_k(c, 65'537), InvalidCapacity);
  GOOD(yolo_v4_case(), c.params.original_image_size = (ImageSize{1, 1'048'576}));
  GOOD(yolo_v4_case(), c.params.original_image_size = (ImageSize{1'048'576, 1}));
  BAD(yolo_v4_case(), c.params.original_image_size.width = 0, InvalidImageExtent);
  BAD(yolo_v4_case(), c.params.original_image_size.height = 1'048'577, InvalidImageExtent);
  BAD(yolo_v4_case(), c.params.model_input_size.width = 0, InvalidImageExtent);
  BAD(yolo_v4_case(), c.params.model_input_size.height = 0, InvalidImageExtent);
  BAD(yolo_v4_case(), c.params.model_input_size.width = 1'048'577, InvalidImageExtent);
  GOOD(grid_case(), c.params.model_input_size = (ImageSize{1'048'576, 1'048'576}));
}

/// All heads with room for `classes`, as Float32 or in pixels padded to 16.
void set_classes(Case& c, std::int32_t classes) {
  c.params.num_classes = classes;
  for (int i = 0; i < 3; ++i) {
    const DType dtype = c.inputs[static_cast<std::size_t>(i)].dtype;
    const std::int64_t channels = 3 * (classes + 5);
    c.inputs[static_cast<std::size_t>(i)] =
        dense_input(dtype, 8 >> i, 8 >> i, channels, dtype == DType::Float32 ? 0 : (channels + 15) / 16 * 16);
  }
}

TEST(BoxDecodeCheck, ClassCounts) {
  GOOD(yolo_v4_case(), set_classes(c, 1));
  BAD(yolo_v4_case(), c.params.num_classes = 0, InvalidClassCount);
  GOOD(yolo_v4_case(), set_classes(c, 336));
  // 337 classes need 1,026 channels: the physical limit speaks first.
  BAD(yolo_v4_case(), set_classes(c, 337), InvalidPhysicalChannels);
  GOOD(bf16_case(), set_classes(c, 336));
  GOOD(int8_case(), set_classes(c, 256));
  BAD(int8_case(), set_classes(c, 257), InvalidClassCount);
  const Change one_int8 = [](Case& c) {
    set_classes(c, 257);
    c.inputs[1] = dense_input(DType::Int8, 4, 4, 3 * 262, 800);
  };
  expect_code(yolo_v4_case(), one_int8, InvalidClassCount, "one Int8 head among others");
  expect_code(
      grid_case(),
      [](Case& c) {
        c.params.num_classes = 337;
        c.params.anchor_grid[0].anchors.resize(1);
        c.inputs[0] = dense_input(DType::Float32, 4, 4, 342);
      },
      InvalidClassCount, "one slot, 337 classes");
}

TEST(BoxDecodeCheck, Limits) {
  GOOD(yolo_v4_case(), c.params.candidate_limit = 0);
  GOOD(yolo_v4_case(), c.params.candidate_limit = 1);
  GOOD(yolo_v4_case(), c.params.candidate_limit = 4'194'304);
  BAD(yolo_v4_case(), c.params.candidate_limit = 4'194'305, InvalidCandidateLimit);
  BAD(yolo_v4_case(), c.params.candidate_limit = -1, InvalidCandidateLimit);
  GOOD(yolo_v4_case(), c.params.multi_label = true);
  BAD(yolo_v4_case(), c.params.candidate_limit = 0; c.params.multi_label = true, InvalidCandidateLimit);
  GOOD(yolo_v4_case(), c.params.max_per_class = 65'536);
  BAD(yolo_v4_case(), c.params.max_per_class = 65'537, InvalidPerClassLimit);
  BAD(yolo_v4_case(), c.params.max_per_class = -1, InvalidPerClassLimit);
}

TEST(BoxDecodeCheck, Mosaic) {
  GOOD(yolo_v4_case(), set_mosaic(c, 2, 1));
  GOOD(one_head_case(8, 8, 1, 1), set_mosaic(c, 8, 8));
  BAD(one_head_case(9, 9, 1, 1), set_mosaic(c, 9, 1), InvalidMosaic);
  BAD(one_head_case(9, 9, 1, 1), set_mosaic(c, 1, 9), InvalidMosaic);
  BAD(yolo_v4_case(), c.params.mosaic.rows = 0, InvalidMosaic);
  BAD(yolo_v4_case(), c.params.mosaic.cols = 0, InvalidMosaic);
  BAD(yolo_v4_case(), set_mosaic(c, 3, 1), InvalidMosaic);  // 64 % 3
  BAD(yolo_v4_case(), set_mosaic(c, 4, 1), InvalidMosaic);  // P5 has 2 rows
  BAD(yolo_v4_case(), set_mosaic(c, 1, 4), InvalidMosaic);
}

TEST(BoxDecodeCheck, BoxStep) {
  GOOD(yolo_v4_case(), c.params.voting = Voting{0.0f});
  GOOD(yolo_v4_case(), c.params.voting = Voting{1.0f});
  BAD(yolo_v4_case(), c.params.voting = Voting{float_of(0x3F800001)}, InvalidBoxStep);
  BAD(yolo_v4_case(), c.params.voting = Voting{-0.1f}, InvalidBoxStep);
  BAD(yolo_v4_case(), c.params.voting = Voting{kNan}, InvalidBoxStep);
  const auto edge = [](float factor, float margin) {
    return [=](Case& c) {
      set_mosaic(c, 2, 2);
      c.params.edge_penalty = EdgePenalty{factor, margin};
    };
  };
  expect_ok(yolo_v4_case(), edge(1.0f, 0.0f), "edge limits");
  expect_ok(yolo_v4_case(), edge(float_of(1), 1'048'576.0f), "edge limits");
  expect_code(yolo_v4_case(), edge(0.0f, 4.0f), InvalidBoxStep, "factor 0");
  expect_code(yolo_v4_case(), edge(float_of(0x3F800001), 4.0f), InvalidBoxStep, "factor above 1");
  expect_code(yolo_v4_case(), edge(kNan, 4.0f), InvalidBoxStep, "factor NaN");
  expect_code(yolo_v4_case(), edge(0.5f, -1.0f), InvalidBoxStep, "margin below 0");
  expect_code(yolo_v4_case(), edge(0.5f, 1'048'576.125f), InvalidBoxStep, "margin above");
  expect_code(yolo_v4_case(), edge(0.5f, kInf), InvalidBoxStep, "margin infinite");
  BAD(yolo_v4_case(), c.params.edge_penalty = EdgePenalty{}, InvalidBoxStep);
}

TEST(BoxDecodeCheck, ResizeAndKeypoints) {
  const auto resize = [](std::int32_t w, std::int32_t h, std::int32_t left, std::int32_t top) {
    return [=](Case& c) { c.params.resize = Resize::explicit_size({w, h}, left, top); };
  };
  expect_ok(yolo_v4_case(), resize(64, 64, 0, 0), "whole");
  expect_ok(yolo_v4_case(), resize(1, 1, 63, 63), "one pixel");
  expect_code(yolo_v4_case(), resize(0, 1, 0, 0), InvalidResize, "scaled width 0");
  expect_code(yolo_v4_case(), resize(1, 0, 0, 0), InvalidResize, "scaled height 0");
  expect_code(yolo_v4_case(), resize(1, 1, -1, 0), InvalidResize, "pad left");
  expect_code(yolo_v4_case(), resize(1, 1, 0, -1), InvalidResize, "pad top");
  expect_code(yolo_v4_case(), resize(64, 1, 1, 0), InvalidResize, "beyond the width");
  expect_code(yolo_v4_case(), resize(1, 64, 0, 1), InvalidResize, "beyond the height");
  const Change tile = [](Case& c) {
    set_mosaic(c, 2, 2);
    c.params.resize = Resize::explicit_size({33, 32}, 0, 0);
  };
  expect_code(yolo_v4_case(), tile, InvalidResize, "beyond the tile");
  GOOD(yolo_v4_case(), c.params.keypoint_dims = 2);
  BAD(yolo_v4_case(), c.params.keypoint_dims = 1, InvalidKeypointShape);
  BAD(yolo_v4_case(), c.params.keypoint_dims = 4, InvalidKeypointShape);
  GOOD(yolo_v4_case(), c.params.keypoint_count = 1);
  BAD(yolo_v4_case(), c.params.keypoint_count = 0, InvalidKeypointShape);
  GOOD(yolo_v4_case(), c.params.keypoint_count = 341);
  BAD(yolo_v4_case(), c.params.keypoint_count = 342, InvalidKeypointShape);
}

TEST(BoxDecodeCheck, ProfileTaskActivation) {
  BAD(yolo_v4_case(), c.params.profile = Profile::None, UnsupportedProfile);
  BAD(yolo_v4_case(), c.params.profile = static_cast<Profile>(99), UnsupportedProfile);
  BAD(yolo_v4_case(), c.params.task = Task::Pose, UnsupportedTask);
  BAD(yolo_v4_case(), c.params.task = Task::Segmentation, UnsupportedTask);
  GOOD(yolo_v4_case(), c.params.score_activation = ScoreActivation::Sigmoid);
  BAD(yolo_v4_case(), c.params.score_activation = ScoreActivation::Identity, ActivationConflict);
  BAD(grid_case(), c.params.score_activation = ScoreActivation::Identity, ActivationConflict);  // an Exp level
  GOOD(grid_case(), c.params.anchor_grid = {AnchorLevel::square({{1, 1}, {2, 2}})};
       c.params.score_activation = ScoreActivation::Identity);
}

TEST(BoxDecodeCheck, AnchorGrid) {
  BAD(yolo_v4_case(), c.params.anchor_grid.resize(3), InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].scale = 0.0f, InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].scale = kInf, InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].scale = kNan, InvalidAnchorGrid);
  GOOD(grid_case(), c.params.anchor_grid[0].offset = -0.25f);
  BAD(grid_case(), c.params.anchor_grid[0].offset = kNan, InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].formula = static_cast<AnchorLevel::Formula>(7), InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].anchors.clear(), InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].anchors[1][0] = 0.0f, InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].anchors[1][1] = -1.0f, InvalidAnchorGrid);
  BAD(grid_case(), c.params.anchor_grid[0].anchors[0][0] = kNan, InvalidAnchorGrid);
  GOOD(grid_case(), c.params.anchor_grid[0] = AnchorLevel::square(c.params.anchor_grid[0].anchors));
  GOOD(grid_case(), c.params.anchor_grid[0] = AnchorLevel::darknet(2.0f, true, c.params.anchor_grid[0].anchors));
  BAD(grid_case(), c.params.anchor_grid[0] = AnchorLevel::darknet(1.0f, true, c.params.anchor_grid[0].anchors),
      InvalidAnchorGrid);
  const auto with_slots = [](std::size_t slots) {
    return [slots](Case& c) {
      c.params.anchor_grid[0].anchors.assign(slots, {8, 8});
      c.inputs[0] = dense_input(DType::Float32, 4, 4, static_cast<std::int64_t>(slots) * 7);
    };
  };
  expect_ok(grid_case(), with_slots(16), "16 slots");
  expect_code(grid_case(), with_slots(17), InvalidAnchorGrid, "17 slots");
}

TEST(BoxDecodeCheck, Heads) {
  BAD(yolo_v4_case(), c.params.heads.pop_back(), InvalidHeadCount);
  BAD(yolo_v4_case(), c.params.heads.push_back(Head::combined(0)), InvalidHeadCount);
  GOOD(grid_case(), set_heads(c, 8));
  BAD(grid_case(), set_heads(c, 9), InvalidHeadCount);
  BAD(grid_case(), set_heads(c, 0), InvalidHeadCount);
  BAD(grid_case(), c.params.anchor_grid.push_back(c.params.anchor_grid[0]), InvalidHeadCount);
  BAD(yolo_v4_case(), c.params.heads[1] = Head::pair(0, 1), HeadKindMismatch);
  BAD(yolo_v4_case(), c.params.heads[1] = Head::with_objectness(0, 1, 2), HeadKindMismatch);
  BAD(yolo_v4_case(), c.params.heads[2] = Head::combined(2).coefficients(1), HeadKindMismatch);
  BAD(yolo_v4_case(), c.params.heads[2] = Head::combined(2).keypoints(1), HeadKindMismatch);
  BAD(yolo_v4_case(), c.params.basis = 0, HeadKindMismatch);
  BAD(yolo_v4_case(), c.params.heads[0] = Head::combined(3), PortOutOfRange);
  BAD(yolo_v4_case(), c.params.heads[0] = Head::combined(-1), PortOutOfRange);
  BAD(yolo_v4_case(), c.params.heads[2] = Head::combined(1), PortDuplicate);
  BAD(yolo_v4_case(), c.inputs.push_back(c.inputs[0]), PortUnmapped);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
