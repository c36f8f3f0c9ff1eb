// Worked examples of the specification, computed by whole executions: the way back to the photo, and masks.

#include <gtest/gtest.h>

#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

using Corners = std::array<float, 4>;
constexpr std::int32_t kStride = 16;

/// One box, letterboxed into `model`, of a photo of size `original`.
Case letterboxed(ImageSize original, ImageSize model, const Corners& box) {
  Case c = corners_case(model.height / kStride, model.width / kStride, kStride, 1);
  c.params.original_image_size = original;
  c.params.resize = Resize::letterbox();
  put_corners(c, 0, 0, box, 0.9f);
  return c;
}
Corners mapped(ImageSize original, ImageSize model, const Corners& box) {
  const std::vector<Row> found = rows(decode(letterboxed(original, model, box)));
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? Corners{} : found[0].box;
}
std::vector<std::int32_t> rounded(ImageSize original, ImageSize model, const Corners& box) {
  Case c = letterboxed(original, model, box);
  c.fit_outputs();
  const auto all = ints(decode(c).outputs[0]);
  return {all.begin(), all.begin() + 4};
}
using Ints = std::vector<std::int32_t>;

TEST(BoxDecodeWorked, Section17_13_Letterbox) {
  // Scaled to 640x360, 140 rows above.
  EXPECT_EQ(mapped({1280, 720}, {640, 640}, {100, 200, 300, 400}), (Corners{200, 120, 600, 520}));
  // Scaled to 640x427, 106 rows above; the axes' ratios differ: 1.5625 and 3FC7F19C.
  const Corners first = mapped({1000, 667}, {640, 640}, {1, 107, 2, 300});
  EXPECT_EQ(first[0], 1.5625f);
  EXPECT_EQ(bits_of(first[1]), 0x3FC7F19Cu);
  EXPECT_EQ(bits_of(first[3]), 0x43978518u);
  EXPECT_EQ(rounded({1000, 667}, {640, 640}, {1, 50, 2, 300}), (Ints{2, 0, 3, 303}));
  EXPECT_EQ(mapped({1000, 667}, {640, 640}, {1, 50, 2, 533.5f})[3], 667.0f);
  EXPECT_EQ(mapped({1000, 667}, {640, 640}, {1, 50, 2, 533.5f})[1], 0.0f);
}

// The corners of the scaled photo are those of the photo: this fixes scaled extent and padding.
TEST(BoxDecodeWorked, Section17_13_ScaledExtents) {
  EXPECT_EQ(mapped({333, 500}, {640, 640}, {107, 0, 107 + 426, 640}), (Corners{0, 0, 333, 500}));
  EXPECT_EQ(mapped({333, 500}, {640, 640}, {108, 1, 200, 2})[0], 333.0f / 426.0f);
  EXPECT_EQ(mapped({1920, 1080}, {640, 384}, {0, 12, 640, 372}), (Corners{0, 0, 1920, 1080}));
  EXPECT_EQ(mapped({1920, 1080}, {640, 384}, {0, 13, 639, 371}), (Corners{0, 3, 1917, 1077}));
  EXPECT_EQ(mapped({1, 4000}, {640, 640}, {319, 0, 320, 640}), (Corners{0, 0, 1, 4000}));
  EXPECT_EQ(mapped({1, 4000}, {640, 640}, {319.5f, 1, 330, 2}), (Corners{0.5f, 6.25f, 1, 12.5f}));
}

// Coefficients (10, -20); basis pixel (4, 2) sums to 0: background; (5, 2) to 10: foreground. Box columns 6 to 24 of 32
// are 0.75 <= j < 3 of the mask: j = 1 and 2.
TEST(BoxDecodeWorked, Section17_15_Mask) {
  Case c = separate_case(Profile::Yolo26RawLtrb, 1, 2, 1);
  c.params.task = Task::Segmentation;
  c.params.model_input_size = c.params.original_image_size = {32, 16};
  c.params.max_detections = 2;
  c.params.heads[0] = c.params.heads[0].coefficients(2);
  c.params.basis = 3;
  c.inputs = {dense_input(DType::Int8, 1, 2, 4), dense_input(DType::Int8, 1, 2, 1), dense_input(DType::Int8, 1, 2, 2),
              dense_input(DType::Int8, 1, 4, 2)};
  c.fit_outputs();
  c.fit_bytes(std::byte{0x80});
  const int ltrb[] = {2, 8, 16, 8};  // times 1/16 of a cell of 16 pixels: (8 - 2, 0, 8 + 16, 16)
  for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, 0, 0, side, static_cast<std::uint32_t>(ltrb[side]));
  c.put_word(1, 0, 0, 0, 127);
  c.put_word(2, 0, 0, 0, 10);
  c.put_word(2, 0, 0, 1, static_cast<std::uint32_t>(-20));
  const auto set_basis = [&](std::uint32_t first) {
    for (std::int64_t j = 0; j < 4; ++j) {
      c.put_word(3, 0, j, 0, first);
      c.put_word(3, 0, j, 1, 2);
    }
  };
  const auto mask = [&] {
    const Outcome outcome = decode(c);
    std::vector<int> out;
    for (const std::byte b : outcome.outputs[4]) out.push_back(std::to_integer<int>(b));
    return out;
  };
  set_basis(5);
  EXPECT_EQ(mask(), (std::vector<int>{0, 1, 1, 0, 0, 0, 0, 0}));
  set_basis(4);
  EXPECT_EQ(mask(), std::vector<int>(8, 0));
}

}  // namespace
}  // namespace tessera::boxdecode::testing
