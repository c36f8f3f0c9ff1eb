// Worked examples of the specification, computed by whole executions: the families' boxes and keypoints. Coordinates
// outside the image are clamped in outputs; those are checked on the slow twin's own boxes.

#include <gtest/gtest.h>

#include "boxdecode/reference_families.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

using reference::Cell;
using reference::Raw;

std::vector<Raw> raws(const std::vector<float>& values) {
  std::vector<Raw> out;
  for (const float v : values) out.push_back({v, 0, 0});
  return out;
}
Bits rect_bits(const reference::Rect& b) { return bits_of(std::array<float, 4>{b.x1, b.y1, b.x2, b.y2}); }

Case with_stride(Case c, std::int32_t stride) {
  const auto h = static_cast<std::int32_t>(c.inputs[0].shape[0]), w = static_cast<std::int32_t>(c.inputs[0].shape[1]);
  c.params.model_input_size = c.params.original_image_size = {w * stride, h * stride};
  c.fit_outputs(DType::Float32);
  return c;
}

void put_all(Case& c, std::size_t port, std::int64_t y, std::int64_t x, const std::vector<float>& values,
             std::int64_t first = 0) {
  for (std::size_t i = 0; i < values.size(); ++i) c.put(port, y, x, first + static_cast<std::int64_t>(i), values[i]);
}

Row only_row(const Case& c) {
  const std::vector<Row> found = rows(decode(c));
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? Row{} : found[0];
}

TEST(BoxDecodeWorked, Section17_4_Yolo26) {
  Case c = with_stride(separate_case(Profile::Yolo26RawLtrb, 8, 8, 1), 16);
  put_all(c, 0, 6, 4, {1.5f, 2, 3.25f, 0.75f});
  c.put(1, 6, 4, 0, 3);
  EXPECT_EQ(only_row(c).box, (std::array<float, 4>{48, 72, 124, 116}));
  // bf16 words at cell (0, 0), stride 8: the upper edge is at -1.59375.
  Case words = with_stride(separate_case(Profile::Yolo26RawLtrb, 8, 8, 1), 8);
  words.inputs = {dense_input(DType::BFloat16, 8, 8, 4), dense_input(DType::BFloat16, 8, 8, 1)};
  words.fit_bytes(std::byte{0xC3});
  const std::uint32_t ltrb[] = {0x3E9A, 0x3F33, 0x3F8D, 0x4013};
  for (std::int64_t side = 0; side < 4; ++side) words.put_word(0, 0, 0, side, ltrb[side]);
  words.put_word(1, 0, 0, 0, 0x4040);
  EXPECT_EQ(only_row(words).box, (std::array<float, 4>{1.59375f, 0, 12.8125f, 22.375f}));
  const auto side = [&](int i) { return float_of(ltrb[i] << 16); };
  const std::vector<Raw> t = raws({side(0), side(1), side(2), side(3)});
  EXPECT_EQ(reference::separate_box(words.params, t.data(), 4, {0, 0, 8}).y1, -1.59375f);
}

std::array<float, 4> around(const Bits& cxcywh) {
  const float cx = float_of(cxcywh[0]), cy = float_of(cxcywh[1]), w = float_of(cxcywh[2]), h = float_of(cxcywh[3]);
  return {cx - w * 0.5f, cy - h * 0.5f, cx + w * 0.5f, cy + h * 0.5f};
}

/// YOLOv5, 640x640, all background.
Case yolo_v5(std::int32_t classes, DType dtype = DType::Float32) {
  Case c = yolo_v4_case(classes);
  c.params.profile = Profile::YoloV5V1;
  c.params.model_input_size = c.params.original_image_size = {640, 640};
  const std::int64_t channels = 3 * (classes + 5);
  for (int i = 0; i < 3; ++i) {
    c.inputs[static_cast<std::size_t>(i)] =
        dense_input(dtype, 80 >> i, 80 >> i, channels, dtype == DType::Float32 ? 0 : (channels + 15) / 16 * 16);
  }
  c.fit_outputs(DType::Float32);
  c.fit_bytes(dtype == DType::Int8 ? std::byte{0x80} : std::byte{0xC3});  // -128, or -390
  return c;
}

TEST(BoxDecodeWorked, Section17_5_YoloV5) {
  Case zero = yolo_v5(1);
  put_all(zero, 0, 20, 10, {0, 0, 0, 0, 8, 8});
  EXPECT_EQ(only_row(zero).box, (std::array<float, 4>{79, 157.5f, 89, 170.5f}));
  Case c = yolo_v5(1);
  put_all(c, 1, 4, 3, {0.5f, -0.25f, 1, -1, 2.0f, 1.5f}, 6);
  const Row row = only_row(c);
  EXPECT_EQ(bits_of(row.box), (Bits{0, 0x427E00B7, 0x42FC6153, 0x42990A3E}));
  EXPECT_EQ(bits_of(row.score), 0x3F38599Au);
  const std::vector<Raw> t = raws({0.5f, -0.25f, 1, -1});
  const reference::Rect whole = reference::combined_box(c.params, 1, 1, t.data(), {3, 4, 16});
  EXPECT_EQ(rect_bits(whole)[0], 0xC0CB4930u);
  EXPECT_EQ(rect_bits(whole), bits_of(around({0x426FACC0, 0x428C054D, 0x43048AF3, 0x41504F16})));
  c.params.original_image_size = {1920, 1080};
  const std::array<float, 4> stretched = only_row(c).box;
  EXPECT_EQ(bits_of(stretched[1]), 0x42D6509Au);  // 107.15742 in eight digits
  EXPECT_EQ(stretched[2], 378.57025f);
  EXPECT_EQ(stretched[3], 129.12750f);
  c.params.box_encoding = BoxEncoding::TopLeftXywh;
  EXPECT_EQ(only_row(c).box[3], 129.12750f - stretched[1]);
  c.params.box_encoding = BoxEncoding::CornersXyxy;
  c.fit_outputs();
  const auto boxes = ints(decode(c).outputs[0]);
  EXPECT_EQ(std::vector(boxes.begin(), boxes.begin() + 4), (std::vector<std::int32_t>{0, 107, 379, 129}));
}

// Objectness reaches its cutoff (20 >= 16), the product 0.8994 does not reach 0.9.
TEST(BoxDecodeWorked, Section17_5_YoloV5Int8) {
  Case c = yolo_v5(11, DType::Int8);
  c.params.detection_threshold = 0.9f;
  for (TensorSpec& spec : c.inputs) spec.quant = Quant{0.08f, -12};
  const int slot[] = {-5, 14, 3, -30, 20, -128, -128, -128, -128, -128, -128, -128, -128, -128, 31};
  for (std::int64_t i = 0; i < 15; ++i) c.put_word(2, 2, 5, 16 + i, static_cast<std::uint32_t>(slot[i]));
  EXPECT_EQ(check_inference(c.request()).value().cutoffs(2).objectness, 16);
  EXPECT_TRUE(rows(decode(c)).empty());
  c.params.detection_threshold = float_of(0x3F663F4C);  // exactly the product: inclusive
  const Row row = only_row(c);
  EXPECT_EQ(bits_of(row.box), (Bits{0x3EE9A200, 0x42B4BA06, 0x43B8813C, 0x42EED7D0}));
  EXPECT_EQ(bits_of(row.score), 0x3F663F4Cu);
  EXPECT_EQ(row.class_id, 9);
  c.params.detection_threshold = float_of(0x3F663F4D);
  EXPECT_TRUE(rows(decode(c)).empty());
}

TEST(BoxDecodeWorked, Section17_6_YoloX) {
  Case c = with_stride(separate_case(Profile::YoloXV1, 4, 16, 1), 32);
  put_all(c, 0, 2, 7, {0.25f, -0.5f, 1, 0});
  c.put(1, 2, 7, 0, 4);
  c.put(2, 2, 7, 0, 4);
  EXPECT_EQ(bits_of(only_row(c).box), (Bits{0x433C81EB, 0x42000000, 0x4389BF0A, 0x42800000}));
  c.params.score_activation = ScoreActivation::Identity;  // a factor below T may be lifted by one above 1
  c.params.detection_threshold = 0.3f;
  for (std::int64_t cell = 0; cell < 64; ++cell) c.put(2, cell / 16, cell % 16, 0, 0);
  c.put(1, 2, 7, 0, 1.5f);
  c.put(2, 2, 7, 0, 0.25f);
  EXPECT_EQ(only_row(c).score, 0.375f);
}

TEST(BoxDecodeWorked, Section17_7_YoloV3AndV4) {
  const struct {
    Profile profile;
    std::size_t level;
    Bits cxcywh;
  } table[] = {{Profile::YoloV3V1, 0, {0x423764D5, 0x42944D96, 0x4183E5D0, 0x40FC5117}},
               {Profile::YoloV4V1, 0, {0x4238DF66, 0x4293904D, 0x419E46F9, 0x411B4598}},
               {Profile::YoloV4V1, 1, {0x42B8221E, 0x4313EEF1, 0x426D6A76, 0x4235F58E}},
               {Profile::YoloV4V1, 2, {0x4337C379, 0x43941E43, 0x436A1E50, 0x42856FCF}}};
  for (const auto& row : table) {
    Case c = yolo_v5(1);
    c.params.profile = row.profile;
    put_all(c, row.level, 9, 5, {1, -1, 0.5f, -0.5f, 8, 8});
    EXPECT_EQ(bits_of(only_row(c).box), bits_of(around(row.cxcywh))) << row.level;
  }
  Case zero = yolo_v5(1);
  zero.params.profile = Profile::YoloV4V1;
  put_all(zero, 2, 9, 5, {0, 0, 0, 0, 8, 8});
  const auto box = only_row(zero).box;
  EXPECT_EQ((box[0] + box[2]) / 2, 176.0f);
  EXPECT_EQ((box[1] + box[3]) / 2, 304.0f);
}

/// One cell (row 5, column 12) of stride 8 in 32 x 32, with the logits of four sides.
Case dfl_case(Profile profile, const std::vector<float>& logits) {
  Case c = with_stride(separate_case(profile, 32, 32, 1, static_cast<std::int64_t>(logits.size())), 8);
  put_all(c, 0, 5, 12, logits);
  c.put(1, 5, 12, 0, 3);
  return c;
}

TEST(BoxDecodeWorked, Section17_8_Dfl) {
  std::vector<float> logits(64, 0.0f);                                              // top stays uniform: 7.5
  logits[3] = 10;                                                                   // left: 3.0032666
  logits[32 + 2] = logits[32 + 3] = 20;                                             // right: 2.5
  for (std::size_t j = 0; j < 16; ++j) logits[48 + j] = static_cast<float>(j) / 2;  // bottom: 13.463875
  for (const Profile profile : {Profile::YoloV8V1, Profile::YoloV9V1, Profile::YoloV10V1, Profile::Yolo11V1}) {
    const Case c = dfl_case(profile, logits);
    EXPECT_EQ(bits_of(only_row(c).box), (Bits{0x4297F29F, 0, 0x42F00000, 0x4317B604}));
    const std::vector<Raw> t = raws(logits);
    EXPECT_EQ(rect_bits(reference::separate_box(c.params, t.data(), 64, {12, 5, 8})),
              (Bits{0x4297F29F, 0xC1800000, 0x42F00000, 0x4317B604}));
  }
  // Around a cell whose centre is the origin the corners are the distances themselves.
  const std::vector<Raw> t = raws(logits);
  EXPECT_EQ(
      rect_bits(reference::separate_box(dfl_case(Profile::YoloV8V1, logits).params, t.data(), 64, {-0.5f, -0.5f, 1})),
      (Bits{0xC0403585, bits_of(-7.5f), bits_of(2.5f), 0x41576C08}));
  // 17 bins of YOLOv6, uniform: 8.
  const Row wide = only_row(dfl_case(Profile::YoloV6V1, std::vector<float>(68, 0.0f)));
  EXPECT_EQ(wide.box, (std::array<float, 4>{36, 0, 164, 108}));
}

TEST(BoxDecodeWorked, Section17_8_DflInt8) {
  Case c = dfl_case(Profile::YoloV8V1, std::vector<float>(64, 0.0f));
  c.inputs = {dense_input(DType::Int8, 32, 32, 64), dense_input(DType::Int8, 32, 32, 1)};
  c.inputs[0].quant = Quant{0.25f, 0};
  c.fit_bytes(std::byte{0x80});
  const int q[] = {-10, -4, 0, 6, 10, 9, 2, 0, -3, -8, -10, -12, -14, -16, -18, -20};
  for (std::int64_t i = 0; i < 64; ++i) c.put_word(0, 5, 12, i, static_cast<std::uint32_t>(q[i % 16]));
  c.put_word(1, 5, 12, 0, 127);
  const float d = float_of(0x408C3B1D);
  EXPECT_EQ(only_row(c).box, (std::array<float, 4>{(12.5f - d) * 8, (5.5f - d) * 8, (12.5f + d) * 8, (5.5f + d) * 8}));
}

TEST(BoxDecodeWorked, Section17_8_Keypoints) {
  const struct {
    Profile profile;
    std::int64_t box_channels;
    float x, y;
  } table[] = {
      {Profile::YoloV8V1, 64, 108, 16}, {Profile::Yolo11V1, 64, 108, 16}, {Profile::Yolo26RawLtrb, 4, 106, 32}};
  for (const auto& row : table) {
    Case c = separate_case(row.profile, 16, 32, 1, row.box_channels);
    c.params.task = Task::Pose;
    c.params.keypoint_count = 1;
    c.inputs.push_back(dense_input(DType::Float32, 16, 32, 3));
    c.params.heads[0] = c.params.heads[0].keypoints(2);
    c = with_stride(c, 8);
    c.fit_bytes();
    for (std::int64_t i = 0; i < 512; ++i) c.put(1, i / 32, i % 32, 0, -20);
    put_all(c, 0, 5, 12, std::vector<float>(static_cast<std::size_t>(row.box_channels), 1.0f));
    c.put(1, 5, 12, 0, 3);
    put_all(c, 2, 5, 12, {0.75f, -1.5f, 1.0f});
    const Outcome outcome = decode(c);
    ASSERT_EQ(rows(outcome).size(), 1u);
    const std::vector<float> points = floats(outcome.outputs[4]);
    EXPECT_EQ(points[0], row.x);
    EXPECT_EQ(points[1], row.y);
    EXPECT_EQ(bits_of(points[2]), 0x3F3B26A8u);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
