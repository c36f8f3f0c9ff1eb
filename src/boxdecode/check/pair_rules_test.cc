// One row per rule that concerns heads of several tensors, blocked layouts and tasks. Bounds are tried on both sides.

#include "boxdecode/testing/pair_cases.h"
#include "boxdecode/testing/rules.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodeCheck, EveryValidKindOfRequest) {
  GOOD(pair_case(), (void)c);
  GOOD(objectness_case(), (void)c);
  GOOD(pose_case(), (void)c);
  GOOD(mask_case(), (void)c);
  for (const Profile profile : {Profile::YoloV8V1, Profile::YoloV9V1, Profile::YoloV10V1, Profile::Yolo11V1}) {
    expect_ok(
        pair_case(profile, 64), [](Case&) {}, to_string(profile));
  }
  GOOD(pair_case(Profile::YoloV6V1, 4), (void)c);
  GOOD(pair_case(Profile::YoloV6V1, 68), (void)c);
}

TEST(BoxDecodeCheck, ActivationIsSaidWhereItIsNotDerived) {
  BAD(pair_case(), c.params.score_activation.reset(), ActivationMissing);
  BAD(objectness_case(), c.params.score_activation.reset(), ActivationMissing);
  GOOD(pair_case(), c.params.score_activation = ScoreActivation::Identity);
  GOOD(objectness_case(), c.params.score_activation = ScoreActivation::Identity);
  BAD(pair_case(), c.params.score_activation = static_cast<ScoreActivation>(2), ActivationMissing);
  BAD(grid_case(), c.params.anchor_grid[0] = AnchorLevel::square({{8, 8}, {9, 9}});
      c.params.score_activation = static_cast<ScoreActivation>(2), ActivationMissing);
}

TEST(BoxDecodeCheck, TasksOfProfiles) {
  BAD(pose_case(), c.params.profile = Profile::YoloV9V1, UnsupportedTask);
  BAD(pose_case(), c.params.profile = Profile::YoloV10V1, UnsupportedTask);
  BAD(pose_case(), c.params.profile = Profile::YoloV6V1, UnsupportedTask);
  GOOD(mask_case(), c.params.profile = Profile::YoloV9V1);
  BAD(mask_case(), c.params.profile = Profile::YoloV10V1, UnsupportedTask);
  BAD(objectness_case(), c.params.task = Task::Pose, UnsupportedTask);
  BAD(pair_case(), c.params.task = static_cast<Task>(9), UnsupportedTask);
  BAD(pose_case(), c.params.mosaic = (Mosaic{2, 2}), UnsupportedTask);
  BAD(mask_case(), c.params.mosaic = (Mosaic{1, 2}), UnsupportedTask);
}

TEST(BoxDecodeCheck, VotingNeedsNms) {
  GOOD(pair_case(), c.params.voting = Voting{});
  BAD(pair_case(), c.params.voting = Voting{}; c.params.nms_iou_threshold = 0.0f, InvalidBoxStep);
  BAD(pair_case(Profile::YoloV10V1, 64), c.params.voting = Voting{};
      c.params.nms_iou_threshold = -0.0f, InvalidBoxStep);
  GOOD(pair_case(Profile::YoloV8V1, 64), c.params.voting = Voting{}; c.params.nms_iou_threshold = 0.0f);
}

void with_heads(Case& c, std::size_t heads) {
  c.params.heads.resize(1);
  c.inputs.resize(2);
  for (std::size_t i = 1; i < heads; ++i) {
    const auto port = static_cast<std::int32_t>(2 * i);
    c.params.heads.push_back(Head::pair(port, port + 1));
    c.inputs.push_back(c.inputs[0]);
    c.inputs.push_back(c.inputs[1]);
  }
}

TEST(BoxDecodeCheck, HeadCountsAndKinds) {
  GOOD(pair_case(), with_heads(c, 1));
  GOOD(pair_case(), with_heads(c, 3));
  BAD(pair_case(), with_heads(c, 4), InvalidHeadCount);
  BAD(pair_case(), c.params.heads.clear(), InvalidHeadCount);
  BAD(pair_case(), c.params.heads[1] = Head::combined(2), HeadKindMismatch);
  BAD(pair_case(), c.params.heads[1] = Head::with_objectness(2, 3, 1), HeadKindMismatch);
  BAD(objectness_case(), c.params.heads[1] = Head::pair(2, 3), HeadKindMismatch);
  BAD(mask_case(), c.params.basis.reset(), HeadKindMismatch);
  BAD(mask_case(), c.params.heads[1] = Head::pair(2, 3), HeadKindMismatch);
  BAD(pose_case(), c.params.heads[1] = Head::pair(2, 3), HeadKindMismatch);
  BAD(pose_case(), c.params.heads[1] = c.params.heads[1].coefficients(4), HeadKindMismatch);
  BAD(pair_case(), c.params.heads[1] = c.params.heads[1].keypoints(4), HeadKindMismatch);
}

TEST(BoxDecodeCheck, PortsOfEveryRole) {
  BAD(pair_case(), c.params.heads[0].box_port = 4, PortOutOfRange);
  BAD(pair_case(), c.params.heads[0].score_port = -1, PortOutOfRange);
  BAD(pair_case(), c.params.heads[0].score_port = 0, PortDuplicate);
  BAD(pair_case(), c.params.heads[1].box_port = 1, PortDuplicate);
  BAD(objectness_case(), c.params.heads[1].extra_input = 6, PortOutOfRange);
  BAD(objectness_case(), c.params.heads[1].extra_input = 4, PortDuplicate);
  BAD(mask_case(), c.params.basis = 7, PortOutOfRange);
  BAD(mask_case(), c.params.basis = 5, PortDuplicate);
  BAD(mask_case(), c.params.heads[0].coefficients_port = 7, PortOutOfRange);
  BAD(pose_case(), c.params.heads[0].keypoints_port = 0, PortDuplicate);
  BAD(pair_case(), c.inputs.push_back(c.inputs[0]), PortUnmapped);
}

Change tiles(std::size_t port, std::int64_t h, std::int64_t w, std::int64_t c) {
  return [=](Case& k) { k.inputs[port].layout = MlaCBlocked{h, w, c}; };
}

TEST(BoxDecodeCheck, Tiles) {
  expect_ok(pair_case(), tiles(1, 1, 1, 1), "least");
  expect_ok(pair_case(), tiles(0, 32'767, 32'767, 1'024), "greatest");
  expect_code(pair_case(), tiles(1, 0, 1, 1), InvalidTile, "tile_h 0");
  expect_code(pair_case(), tiles(1, 32'768, 1, 1), InvalidTile, "tile_h 32,768");
  expect_code(pair_case(), tiles(1, 1, 0, 1), InvalidTile, "tile_w 0");
  expect_code(pair_case(), tiles(1, 1, 32'768, 1), InvalidTile, "tile_w 32,768");
  expect_code(pair_case(), tiles(1, 1, 1, 0), InvalidTile, "tile_c 0");
  expect_code(pair_case(), tiles(1, 1, 1, 1'025), InvalidTile, "tile_c 1,025");
  expect_code(pair_case(), tiles(1, 1, 1, -16), InvalidTile, "tile_c negative");
  expect_ok(bf16_case(), tiles(0, 3, 3, 16), "combined");
  expect_ok(int8_case(), tiles(0, 3, 3, 1'024), "combined");
  expect_code(bf16_case(), tiles(0, 3, 3, 8), InvalidTile, "combined wants multiples of 16");
  expect_code(int8_case(), tiles(0, 3, 3, 24), InvalidTile, "combined wants multiples of 16");
}

TEST(BoxDecodeCheck, ChannelsOfEveryRole) {
  for (const std::int64_t wrong : {3, 5, 16, 64}) {
    expect_code(
        pair_case(), [wrong](Case& c) { c.inputs[0].shape[2] = wrong; }, ChannelMismatch, "ltrb box");
  }
  for (const std::int64_t wrong : {4, 63, 65, 68}) {
    expect_code(
        pair_case(Profile::YoloV8V1, 64), [wrong](Case& c) { c.inputs[0].shape[2] = wrong; }, ChannelMismatch, "DFL");
  }
  for (const std::int64_t wrong : {3, 5, 64, 67, 69}) {
    expect_code(
        pair_case(Profile::YoloV6V1), [wrong](Case& c) { c.inputs[0].shape[2] = wrong; }, ChannelMismatch, "v6");
  }
  BAD(pair_case(), c.inputs[1].shape[2] = 2, ChannelMismatch);
  BAD(pair_case(), c.inputs[1].shape[2] = 4, ChannelMismatch);
  BAD(objectness_case(), c.inputs[4].shape[2] = 2, ChannelMismatch);
  BAD(pose_case(), c.inputs[4].shape[2] = 5, ChannelMismatch);
  BAD(mask_case(), c.inputs[4].shape[2] = 4, ChannelMismatch);
  BAD(mask_case(), c.inputs[6].shape[2] = 257, ChannelMismatch);
  BAD(mask_case(), c.inputs[6].shape[2] = 0, ChannelMismatch);
  BAD(mask_case(), c.inputs[6].shape[2] = std::numeric_limits<std::int64_t>::max(), InvalidPhysicalChannels);
  GOOD(mask_case(), c.inputs[4].shape[2] = c.inputs[5].shape[2] = c.inputs[6].shape[2] = 256);
  // Roles other than combined want no multiple of 16.
  GOOD(pair_case(), c.inputs[1] = dense_input(DType::BFloat16, 4, 4, 3, 1'024));
  BAD(pair_case(), c.inputs[1] = dense_input(DType::BFloat16, 4, 4, 3, 1'025), InvalidPhysicalChannels);
  BAD(pair_case(), c.inputs[1] = dense_input(DType::BFloat16, 4, 4, 3, 2, 8), InvalidPhysicalChannels);
}

TEST(BoxDecodeCheck, ClassBounds) {
  const auto classes = [](std::int32_t n) {
    return [n](Case& c) {
      c.params.num_classes = n;
      c.inputs[1].shape[2] = c.inputs[3].shape[2] = n;
    };
  };
  expect_ok(pair_case(), classes(1), "one");
  expect_ok(pair_case(), classes(256), "256");
  expect_code(pair_case(), classes(257), InvalidClassCount, "257");
  expect_ok(objectness_case(), classes(256), "256");
  expect_code(objectness_case(), classes(257), InvalidClassCount, "257");
}

TEST(BoxDecodeCheck, TensorsOfOneHeadAgree) {
  const auto int8 = [](std::size_t port) {
    return [port](Case& c) {
      c.inputs[port].dtype = DType::Int8;
      c.inputs[port].quant = Quant{0.1f, 0};
    };
  };
  expect_code(pair_case(), int8(0), HeadDTypeMismatch, "box");
  expect_code(objectness_case(), int8(5), HeadDTypeMismatch, "objectness");
  expect_code(pose_case(), int8(4), HeadDTypeMismatch, "keypoints");
  expect_code(mask_case(), int8(5), HeadDTypeMismatch, "coefficients");
  expect_ok(mask_case(), int8(6), "the basis has a dtype of its own");
  GOOD(pair_case(), c.inputs[0].dtype = c.inputs[1].dtype = DType::Int8;
       c.inputs[0].quant = c.inputs[1].quant = (Quant{0.1f, 3}));  // heads may differ
  BAD(pair_case(), c.inputs[0].shape[0] = 2, HeadGeometryMismatch);
  BAD(objectness_case(), c.inputs[4].shape[1] = 2, HeadGeometryMismatch);
  BAD(pose_case(), c.inputs[5].shape[1] = 4, HeadGeometryMismatch);
  BAD(mask_case(), c.inputs[5].shape[0] = 4, HeadGeometryMismatch);
}

TEST(BoxDecodeCheck, PairStridesAndMosaics) {
  GOOD(pair_case(), c.params.model_input_size = (ImageSize{36, 36}));
  BAD(pair_case(), c.params.model_input_size = (ImageSize{34, 32}), HeadStrideMismatch);
  BAD(pair_case(), c.params.model_input_size = (ImageSize{32, 34}), HeadStrideMismatch);
  BAD(pair_case(), c.params.model_input_size = (ImageSize{64, 32}), HeadStrideMismatch);
  GOOD(pair_case(), set_mosaic(c, 2, 2));
  GOOD(pair_case(), set_mosaic(c, 1, 2));
  BAD(pair_case(), set_mosaic(c, 4, 4), InvalidMosaic);  // 2x2 cells do not divide by 4
}

TEST(BoxDecodeCheck, FifthOutput) {
  BAD(pose_case(), c.outputs.pop_back(), InvalidOutputCount);
  BAD(pair_case(), c.outputs.push_back(pose_case().outputs[4]), InvalidOutputCount);
  BAD(pose_case(), c.outputs[4].dtype = DType::Int32, InvalidOutputDType);
  BAD(pose_case(), c.outputs[4].shape = Shape({8, 3, 2}), InvalidOutputShape);
  BAD(mask_case(), c.outputs[4].dtype = DType::Int8, InvalidOutputDType);
  BAD(mask_case(), c.outputs[4].shape = Shape({8, 7, 6}), InvalidOutputShape);
  BAD(mask_case(), c.outputs[4].layout = (Strided{Shape({42, 7, 1})}), InvalidOutputLayout);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
