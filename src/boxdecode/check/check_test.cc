// One row per rule: a valid request, one change, the code. Bounds are tried on both sides.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {
namespace {

using enum ErrorCode;
using Change = std::function<void(Case&)>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// BF16, so that the rules on physical channels apply: pixels of 32 channels hold the 21 logical ones.
Case bf16_case() {
  Case c = yolo_v4_case();
  for (int i = 0; i < 3; ++i)
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::BFloat16, 8 >> i, 8 >> i, 21, 32);
  return c;
}
Case int8_case() {
  Case c = yolo_v4_case();
  for (int i = 0; i < 3; ++i) c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Int8, 8 >> i, 8 >> i, 21, 32);
  return c;
}
Case grid_case() { return one_head_case(4, 4, 2, 2); }

Shape& strides(Case& c, std::size_t port = 0) { return std::get<Strided>(c.inputs[port].layout).byte_strides; }

void expect_ok(Case c, const Change& change, const char* what) {
  change(c);
  const auto plan = check_inference(c.request());
  EXPECT_TRUE(plan.has_value()) << what << ": " << (plan ? "" : to_string(plan.error()));
}

void expect_code(Case c, const Change& change, ErrorCode code, const char* what) {
  change(c);
  const auto plan = check_inference(c.request());
  ASSERT_FALSE(plan.has_value()) << what;
  EXPECT_EQ(plan.error().code, code) << what << ": " << to_string(plan.error());
  const std::string line = to_string(plan.error());
  EXPECT_EQ(line.find(to_string(code)), 0u) << line;
  EXPECT_GT(std::string_view(plan.error().field).size(), 2u) << line;
  EXPECT_GT(std::string_view(plan.error().wish).size(), 5u) << line;
}

// The change is an expression on `c`, and its text names the row when it fails.
#define GOOD(valid, expression) \
  expect_ok(                    \
      valid, [](Case& c) { expression; }, #expression)
#define BAD(valid, expression, code) \
  expect_code(                       \
      valid, [](Case& c) { expression; }, code, #expression)

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

void set_mosaic(Case& c, std::int32_t rows, std::int32_t cols) {
  c.params.mosaic = {rows, cols};
  c.fit_outputs();
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
  for (const Profile known : {Profile::YoloV8V1, Profile::Yolo26RawLtrb, Profile::YoloXV1}) {
    expect_code(
        yolo_v4_case(), [known](Case& c) { c.params.profile = known; }, UnsupportedProfile, to_string(known));
  }
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

void set_heads(Case& c, std::size_t heads) {
  c.inputs.assign(heads, c.inputs[0]);
  c.params.anchor_grid.assign(heads, c.params.anchor_grid[0]);
  c.params.heads.clear();
  for (std::size_t i = 0; i < heads; ++i) c.params.heads.push_back(Head::combined(static_cast<std::int32_t>(i)));
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

TEST(BoxDecodeCheck, InputShapes) {
  GOOD(yolo_v4_case(), c.inputs[0].shape = Shape({1, 1, 1, 8, 8, 21}));
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({8, 168}), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({1, 1, 1, 1, 8, 8, 21}), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape(), InvalidRank);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({2, 8, 8, 21}), InvalidLeadingExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape = Shape({0, 8, 8, 21}), InvalidLeadingExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[0] = 0, InvalidSpatialExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[1] = -8, InvalidSpatialExtent);
  BAD(yolo_v4_case(), c.inputs[0].shape[1] = 32'768, InvalidSpatialExtent);
  GOOD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1, 32'767, 6});
       c.params.model_input_size = (ImageSize{32'767, 1}));
  GOOD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1'024, 1'024, 6});
       c.params.model_input_size = (ImageSize{1'024, 1'024}));
  BAD(one_head_case(1, 1, 1, 1), c.inputs[0].shape = Shape({1'024, 1'025, 6}), CellCountExceeded);
}

TEST(BoxDecodeCheck, InputTypesAndLayouts) {
  BAD(yolo_v4_case(), c.params.accept_float32 = false, UnsupportedDType);
  for (const DType dtype : {DType::Float16, DType::UInt8, DType::Int32, DType::Int64}) {
    expect_code(
        yolo_v4_case(), [dtype](Case& c) { c.inputs[1].dtype = dtype; }, UnsupportedDType, to_string(dtype));
  }
  BAD(yolo_v4_case(), c.inputs[1].layout = MlaCBlocked{}, UnsupportedLayout);
  BAD(bf16_case(), c.inputs[1].layout = MlaCBlocked{}, UnsupportedLayout);
  GOOD(bf16_case(), strides(c)[0] = 8 * 64 + 2);
  BAD(bf16_case(), strides(c)[0] = 8 * 64 - 2, InvalidStride);
  BAD(bf16_case(), strides(c)[0] = 8 * 64 + 1, InvalidStride);
  BAD(bf16_case(), strides(c)[0] = -512, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = 63, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = 0, InvalidStride);
  BAD(bf16_case(), strides(c)[1] = std::int64_t{1} << 62, InvalidStride);
  BAD(bf16_case(), strides(c)[2] = 4, InvalidStride);
  BAD(bf16_case(), strides(c) = Shape({512, 64}), InvalidStride);
  BAD(bf16_case(), strides(c) = Shape({1, 1, 1, 1, 512, 64, 2}), InvalidStride);
  GOOD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({0, 512, 64, 2}));
  BAD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({3, 512, 64, 2}), InvalidStride);
  BAD(bf16_case(), c.inputs[0].shape = Shape({1, 8, 8, 21}); strides(c) = Shape({-2, 512, 64, 2}), InvalidStride);
}

void set_pixel(Case& c, std::int64_t channels) {
  c.inputs[0] = dense_input(c.inputs[0].dtype, 8, 8, c.channels(0), channels);
}

TEST(BoxDecodeCheck, Channels) {
  GOOD(bf16_case(), set_pixel(c, 1'024));
  BAD(bf16_case(), set_pixel(c, 1'040), InvalidPhysicalChannels);
  BAD(bf16_case(), set_pixel(c, 16), InvalidPhysicalChannels);
  BAD(bf16_case(), set_pixel(c, 40), InvalidPhysicalChannels);
  BAD(bf16_case(), c.inputs[0].layout = Contiguous{}, InvalidPhysicalChannels);  // 21 is not a multiple of 16
  GOOD(yolo_v4_case(), set_pixel(c, 22));
  GOOD(yolo_v4_case(), set_pixel(c, 1'024));
  BAD(yolo_v4_case(), set_pixel(c, 1'025), InvalidPhysicalChannels);
  BAD(yolo_v4_case(), set_pixel(c, 20), InvalidPhysicalChannels);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 20, ChannelMismatch);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 22, ChannelMismatch);
  BAD(yolo_v4_case(), c.inputs[0].shape[2] = 0, ChannelMismatch);
  BAD(yolo_v4_case(), c.params.num_classes = std::numeric_limits<std::int32_t>::max(), ChannelMismatch);
}

TEST(BoxDecodeCheck, Quantization) {
  BAD(int8_case(), c.inputs[2].quant.reset(), QuantizationMissing);
  BAD(bf16_case(), c.inputs[2].quant = Quant{}, QuantizationUnexpected);
  BAD(yolo_v4_case(), c.inputs[2].quant = Quant{}, QuantizationUnexpected);
  BAD(yolo_v4_case(), c.outputs[1].quant = Quant{}, QuantizationUnexpected);
  GOOD(int8_case(), c.inputs[0].quant->scale = float_of(1));
  GOOD(int8_case(), c.inputs[0].quant->scale = 1.3e36f);
  for (const float scale : {0.0f, -1.0f, 1.4e36f, kInf, kNan}) {
    expect_code(
        int8_case(), [scale](Case& c) { c.inputs[0].quant->scale = scale; }, QuantizationInvalid, "scale");
  }
  GOOD(int8_case(), c.inputs[0].quant->zero_point = -128);
  GOOD(int8_case(), c.inputs[0].quant->zero_point = 127);
  BAD(int8_case(), c.inputs[0].quant->zero_point = -129, QuantizationInvalid);
  BAD(int8_case(), c.inputs[0].quant->zero_point = 128, QuantizationInvalid);
}

TEST(BoxDecodeCheck, Geometry) {
  BAD(yolo_v4_case(), c.params.model_input_size.width = 72, ModelExtentNotAligned);
  BAD(yolo_v4_case(), c.params.model_input_size.height = 80, ModelExtentNotAligned);
  BAD(yolo_v4_case(), c.params.model_input_size.width = 96, HeadStrideMismatch);
  BAD(yolo_v4_case(), c.params.model_input_size.height = 96, HeadStrideMismatch);
  BAD(yolo_v4_case(), std::swap(c.params.heads[0], c.params.heads[1]), HeadStrideMismatch);
  GOOD(grid_case(), c.params.model_input_size = (ImageSize{20, 20}));
  BAD(grid_case(), c.params.model_input_size = (ImageSize{21, 20}), HeadStrideMismatch);
  BAD(grid_case(), c.params.model_input_size = (ImageSize{20, 21}), HeadStrideMismatch);
  BAD(grid_case(), c.params.model_input_size = (ImageSize{20, 24}), HeadStrideMismatch);  // strides 5 and 6
}

TEST(BoxDecodeCheck, Outputs) {
  BAD(yolo_v4_case(), c.outputs.pop_back(), InvalidOutputCount);
  BAD(yolo_v4_case(), c.outputs.push_back(c.outputs[0]), InvalidOutputCount);
  GOOD(yolo_v4_case(), c.outputs[0].dtype = DType::Float32);
  BAD(yolo_v4_case(), c.outputs[0].dtype = DType::Int8, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[1].dtype = DType::Int32, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[2].dtype = DType::Float32, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[3].dtype = DType::Int64, InvalidOutputDType);
  BAD(yolo_v4_case(), c.outputs[0].shape = Shape({8, 5}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[1].shape = Shape({7}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[2].shape = Shape({1, 8}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.outputs[3].shape = Shape({2}), InvalidOutputShape);
  BAD(yolo_v4_case(), c.params.mosaic = (Mosaic{2, 2}), InvalidOutputShape);  // outputs without the leading axis
  BAD(yolo_v4_case(), c.outputs[2].layout = Strided{{4}}, InvalidOutputLayout);
}

TEST(BoxDecodeCheck, Sizes) {
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = std::int64_t{1} << 60, SizeOverflow);
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = std::numeric_limits<std::int64_t>::max() / 4 * 4, SizeOverflow);
  GOOD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = ((std::int64_t{1} << 40) - 8 * 84) / 28 * 4);
  BAD(yolo_v4_case(), set_pixel(c, 21); strides(c)[0] = ((std::int64_t{1} << 40) - 8 * 84) / 28 * 4 + 4, SizeOverflow);
  // 8 heads of 2^20 cells, 3 slots, 336 classes: more candidates than 32-bit ordinals.
  expect_code(
      grid_case(),
      [](Case& c) {
        c.params.num_classes = 336;
        c.params.multi_label = true;
        c.params.model_input_size = {1'024, 1'024};
        c.params.anchor_grid[0].anchors.resize(3, {8, 8});
        c.inputs[0] = dense_input(DType::Float32, 1'024, 1'024, 3 * 341);
        set_heads(c, 8);
      },
      SizeOverflow, "ordinals");
}

TEST(BoxDecodeCheck, Scanner) {
  GOOD(yolo_v4_case(), c.scanner = "scalar");
  BAD(yolo_v4_case(), c.scanner = "mmx", UnsupportedScanner);
  BAD(yolo_v4_case(), c.scanner = "Scalar", UnsupportedScanner);
  Case c = yolo_v4_case();
  c.scanner = "scalar";
  EXPECT_EQ(check_inference(c.request())->scanner(), "scalar");
}

// The first violation in the documented order is reported, whatever else is wrong.
TEST(BoxDecodeCheck, OrderOfChecks) {
  const std::vector<std::pair<ErrorCode, Change>> steps = {
      {InvalidDetectionThreshold, [](Case& c) { c.params.detection_threshold = 2; }},
      {InvalidNmsThreshold, [](Case& c) { c.params.nms_iou_threshold = 2; }},
      {InvalidCapacity, [](Case& c) { c.params.max_detections = 0; }},
      {InvalidImageExtent, [](Case& c) { c.params.original_image_size.width = 0; }},
      {InvalidCandidateLimit, [](Case& c) { c.params.candidate_limit = -1; }},
      {InvalidPerClassLimit, [](Case& c) { c.params.max_per_class = -1; }},
      {InvalidBoxStep, [](Case& c) { c.params.voting = Voting{2}; }},
      {InvalidResize,
       [](Case& c) {
         c.params.resize = Resize::explicit_size({0, 0}, 0, 0);
       }},
      {InvalidKeypointShape, [](Case& c) { c.params.keypoint_dims = 1; }},
      {UnsupportedTask, [](Case& c) { c.params.task = Task::Pose; }},
      {ActivationConflict, [](Case& c) { c.params.score_activation = ScoreActivation::Identity; }},
      {HeadKindMismatch, [](Case& c) { c.params.basis = 1; }},
      {PortUnmapped, [](Case& c) { c.inputs.push_back({}); }},
      {InvalidLeadingExtent,
       [](Case& c) {
         c.inputs[0].shape = {2, 8, 8, 21};
       }},
      {QuantizationUnexpected, [](Case& c) { c.inputs[1].quant = Quant{}; }},
      {HeadStrideMismatch,
       [](Case& c) {
         c.inputs[2].shape = {2, 1, 21};
       }},
      {InvalidOutputCount, [](Case& c) { c.outputs.clear(); }},
      {UnsupportedScanner, [](Case& c) { c.scanner = "?"; }},
  };
  Case c = yolo_v4_case();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    step->second(c);
    const auto plan = check_inference(c.request());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, step->first) << to_string(plan.error());
  }
}

TEST(BoxDecodeCheck, ErrorsNameThingFactAndWish) {
  Case c = yolo_v4_case();
  c.inputs[1].shape[2] = 20;
  EXPECT_EQ(to_string(check_inference(c.request()).error()),
            "ChannelMismatch: input channels [1] is 20, wanted 21: slots * (classes + 5)");
  c = yolo_v4_case();
  c.params.max_detections = 0;
  EXPECT_EQ(to_string(check_inference(c.request()).error()),
            "InvalidCapacity: max_detections is 0: set it to 1...65,536");
  const tessera::Error house = to_error(check_inference(c.request()).error());
  EXPECT_EQ(house.code, Code::invalid_argument);
  EXPECT_EQ(house.message, "boxdecode: InvalidCapacity: max_detections is 0: set it to 1...65,536");
  c = yolo_v4_case();
  c.inputs[0].dtype = DType::Float16;
  EXPECT_EQ(to_error(check_inference(c.request()).error()).code, Code::unsupported);
  EXPECT_EQ(to_error(Error{ErrorCode::SizeOverflow}).code, Code::limit_exceeded);
}

TEST(BoxDecodeCheck, EveryCodeHasItsName) {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(InvalidOriginalSize); ++i) names.insert(to_string(static_cast<ErrorCode>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(InvalidOriginalSize) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

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
