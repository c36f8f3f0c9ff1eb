// Every byte of every output is written: `count` rows, then zeros, whatever was there before.

#include <gtest/gtest.h>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

constexpr std::int32_t kCapacity = 3;

/// One row of cells of 16 pixels, of which the first `detections` hold a box; key points or masks as the task asks.
Case with_detections(Task task, std::int32_t detections) {
  Case c = corners_case(1, 8, 16, 2);
  c.params.task = task;
  c.params.max_detections = kCapacity;
  if (task == Task::Pose) {
    c.params.keypoint_count = 3;
    c.inputs.push_back(dense_input(DType::Float32, 1, 8, 9));
    c.params.heads[0] = c.params.heads[0].keypoints(2);
  }
  if (task == Task::Segmentation) {
    c.inputs.push_back(dense_input(DType::Float32, 1, 8, 1));
    c.inputs.push_back(dense_input(DType::Float32, 3, 25, 1));  // rows of 75 bytes: no multiple of 4
    c.params.heads[0] = c.params.heads[0].coefficients(2);
    c.params.basis = 3;
  }
  c.fit_outputs(DType::Float32);
  c.fit_bytes();
  for (std::size_t port = 2; port < c.inputs.size(); ++port) {
    const Shape& shape = c.inputs[port].shape;
    for (std::int64_t i = 0; i < shape[0] * shape[1]; ++i) {
      for (std::int64_t k = 0; k < shape[2]; ++k) c.put(port, i / shape[1], i % shape[1], k, 0.5f);
    }
  }
  for (std::int32_t i = 0; i < detections; ++i) {
    const float x = 16.0f * static_cast<float>(i);
    put_corners(c, 0, i, {x + 1, 2, x + 15, 14}, 0.9f, 1);
  }
  return c;
}

/// Bytes of one row of an output.
std::size_t row_bytes(const Case& c, std::size_t output) {
  std::int64_t bytes = element_size(c.outputs[output].dtype);
  for (int axis = 1; axis < c.outputs[output].shape.rank(); ++axis) bytes *= c.outputs[output].shape[axis];
  return static_cast<std::size_t>(bytes);
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

TEST(BoxDecodeZeroing, EveryByteForEveryCountAndTask) {
  long cases = 0;
  for (const Task task : {Task::Detection, Task::Pose, Task::Segmentation}) {
    for (const std::int32_t detections : {0, 1, 2, kCapacity, kCapacity + 2}) {
      for (const std::string& scanner : usable_scanners()) {
        Case c = with_detections(task, detections);
        c.scanner = scanner;
        Bound bound(c);
        bound.poison(std::byte{0xFF});
        ASSERT_TRUE(execute(bound.context, bound.bindings()));
        const auto count = static_cast<std::size_t>(std::min(detections, kCapacity));
        EXPECT_EQ(ints(bound.output_bytes[3])[0], static_cast<std::int32_t>(count));
        for (std::size_t output = 0; output < c.outputs.size(); ++output) {
          if (output == 3) continue;
          const std::span<const std::byte> bytes = bound.output_bytes[output];
          const std::size_t row = row_bytes(c, output);
          for (std::size_t i = 0; i < count; ++i) EXPECT_FALSE(all_zero(bytes.subspan(i * row, row))) << output;
          EXPECT_TRUE(all_zero(bytes.subspan(count * row))) << output << " count " << count;
        }
        EXPECT_EQ(difference({bound.output_bytes, run(c).value().stats}, run_reference(c)), "");
        ++cases;
      }
    }
  }
  report_cases("Z1", cases);
}

// Images of a mosaic have rows of their own; image i holds i detections.
TEST(BoxDecodeZeroing, EveryByteOfAMosaic) {
  Case c = corners_case(4, 8, 16, 1);
  c.params.mosaic = {2, 2};
  c.params.max_detections = kCapacity;
  c.params.original_image_size = {64, 32};
  c.fit_outputs(DType::Float32);
  for (std::int64_t image = 0; image < 4; ++image) {
    for (std::int64_t i = 0; i < image; ++i) {
      const float x = 16.0f * static_cast<float>(i);
      put_corners(c, image / 2 * 2, image % 2 * 4 + i, {x + 1, 2, x + 15, 14}, 0.9f);
    }
  }
  Bound bound(c);
  bound.poison(std::byte{0xFF});
  ASSERT_TRUE(execute(bound.context, bound.bindings()));
  EXPECT_EQ(ints(bound.output_bytes[3]), (std::vector<std::int32_t>{0, 1, 2, 3}));
  const std::vector<float> scores = floats(bound.output_bytes[1]);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(bits_of(scores[i]), i % kCapacity < i / kCapacity ? bits_of(0.9f) : 0u) << i;
  }
  EXPECT_EQ(bound.output_bytes, run_reference(c).outputs);
}

// A detection whose key points are not finite, and one whose mask is empty, are rows of zeros in output 4 only.
TEST(BoxDecodeZeroing, NoPointAndNoPixel) {
  Case pose = with_detections(Task::Pose, 1);
  pose.put(2, 0, 0, 3, std::numeric_limits<float>::infinity());
  pose.put(2, 0, 0, 7, std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> points = floats(decode(pose).outputs[4]);
  EXPECT_GT(points[0], 0.0f);
  for (std::size_t i = 3; i < 9; ++i) EXPECT_EQ(bits_of(points[i]), 0u) << i;
  Case empty = with_detections(Task::Segmentation, 1);
  empty.put(2, 0, 0, 0, -1.0f);
  const Outcome outcome = decode(empty);
  EXPECT_EQ(ints(outcome.outputs[3])[0], 1);
  EXPECT_TRUE(all_zero(outcome.outputs[4]));
}

}  // namespace
}  // namespace tessera::boxdecode::testing
