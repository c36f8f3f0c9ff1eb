// Which violation is reported first, and how errors read.

#include <set>

#include "boxdecode/testing/rules.h"

namespace tessera::boxdecode::testing {
namespace {

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
}

TEST(BoxDecodeCheck, EveryCodeHasItsName) {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(InvalidOriginalSize); ++i) names.insert(to_string(static_cast<ErrorCode>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(InvalidOriginalSize) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace tessera::boxdecode::testing
