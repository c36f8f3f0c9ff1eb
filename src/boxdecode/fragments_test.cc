// The two requests most users write first, at their real size: 640x640, 80 classes, BF16.

#include <gtest/gtest.h>
#include <tessera/boxdecode.h>

#include <array>
#include <memory>
#include <vector>

namespace tessera::boxdecode {
namespace {

struct Decoded {
  std::vector<std::size_t> input_bytes;
  std::vector<std::int32_t> boxes = std::vector<std::int32_t>(16 * 4), classes = std::vector<std::int32_t>(16);
  std::vector<float> scores = std::vector<float>(16);
  std::int32_t count = 0;
};

Params common(Profile profile) {
  Params p;
  p.profile = profile;
  p.model_input_size = {640, 640};
  p.original_image_size = {1280, 720};
  p.num_classes = 80;
  p.max_detections = 16;
  p.detection_threshold = 0.25f;
  p.nms_iou_threshold = 0.45f;
  p.resize = Resize::letterbox();
  return p;
}

/// `words`: the heads' memory, in port order; all of it -16 (0xC180) but what the caller has set.
Decoded decode(const Params& params, const std::vector<TensorSpec>& inputs,
               const std::vector<std::vector<std::uint16_t>>& words) {
  const std::array<TensorSpec, 4> outputs{TensorSpec{{16, 4}, DType::Int32}, TensorSpec{{16}},
                                          TensorSpec{{16}, DType::Int32}, TensorSpec{{1}, DType::Int32}};
  const Plan plan = check_inference({inputs, outputs, params}).value();
  std::vector<std::byte> memory(plan.workspace_bytes() + plan.workspace_alignment());
  void* at = memory.data();
  std::size_t space = memory.size();
  std::align(plan.workspace_alignment(), plan.workspace_bytes(), at, space);
  Context context = Context::create(plan, {static_cast<std::byte*>(at), plan.workspace_bytes()}).value();
  Decoded out;
  std::vector<std::span<const std::byte>> bound;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    out.input_bytes.push_back(plan.input_bytes(i));
    bound.push_back(std::as_bytes(std::span(words[i])));
  }
  const std::array<std::span<std::byte>, 4> to{
      std::as_writable_bytes(std::span(out.boxes)), std::as_writable_bytes(std::span(out.scores)),
      std::as_writable_bytes(std::span(out.classes)), std::as_writable_bytes(std::span(&out.count, 1))};
  const Status done = execute(context, {bound, to});
  EXPECT_TRUE(done.has_value()) << (done ? "" : to_string(done.error()));
  return out;
}

constexpr std::uint16_t kLow = 0xC180, kTwo = 0x4000, kZero = 0;  // -16, 2, 0

TEST(BoxDecodeFragments, YoloV5) {
  Params params = common(Profile::YoloV5V1);
  std::vector<TensorSpec> inputs;
  std::vector<std::vector<std::uint16_t>> words;
  for (std::int32_t i = 0; i < 3; ++i) {
    const std::int64_t cells = 80 >> i;
    params.heads.push_back(Head::combined(i));
    inputs.push_back({{cells, cells, 255}, DType::BFloat16, Strided{{cells * 512, 512, 2}}, {}});  // 256 places a pixel
    words.emplace_back(static_cast<std::size_t>(cells * cells * 256), kLow);
  }
  // P3, slot 0, column 10, row 20: centre (84, 164), size (10, 13); objectness and class 7 at 2.
  std::uint16_t* slot = words[0].data() + (20 * 80 + 10) * 256;
  slot[0] = slot[1] = slot[2] = slot[3] = kZero;
  slot[4] = slot[5 + 7] = kTwo;
  const Decoded out = decode(params, inputs, words);
  EXPECT_EQ(out.input_bytes, (std::vector<std::size_t>{3'276'800, 819'200, 204'800}));
  ASSERT_EQ(out.count, 1);
  EXPECT_EQ(out.classes[0], 7);
  EXPECT_NEAR(out.scores[0], 0.880797f * 0.880797f, 1e-6);
  // Corners (79, 157.5, 89, 170.5); the letterbox of 1280x720 is 640x360 under 140 lines of border: times 2.
  EXPECT_EQ(std::vector<std::int32_t>(out.boxes.begin(), out.boxes.begin() + 4),
            (std::vector<std::int32_t>{158, 35, 178, 61}));
}

TEST(BoxDecodeFragments, Yolo26) {
  Params params = common(Profile::Yolo26RawLtrb);
  params.score_activation = ScoreActivation::Sigmoid;
  std::vector<TensorSpec> inputs;
  std::vector<std::vector<std::uint16_t>> words;
  for (std::int32_t i = 0; i < 3; ++i) {
    const std::int64_t cells = 80 >> i;
    params.heads.push_back(Head::pair(2 * i, 2 * i + 1));
    inputs.push_back({{cells, cells, 4}, DType::BFloat16, Contiguous{}, {}});
    inputs.push_back({{cells, cells, 80}, DType::BFloat16, Contiguous{}, {}});
    words.emplace_back(static_cast<std::size_t>(cells * cells * 4), kLow);
    words.emplace_back(static_cast<std::size_t>(cells * cells * 80), kLow);
  }
  // P4, column 4, row 16, two cells to each side, class 3 at 2: (72 - 32, 264 - 32, 72 + 32, 264 + 32).
  const std::size_t cell = 16 * 40 + 4;
  for (std::size_t side = 0; side < 4; ++side) words[2][cell * 4 + side] = kTwo;
  words[3][cell * 80 + 3] = kTwo;
  const Decoded out = decode(params, inputs, words);
  EXPECT_EQ(out.input_bytes, (std::vector<std::size_t>{51'200, 1'024'000, 12'800, 256'000, 3'200, 64'000}));
  ASSERT_EQ(out.count, 1);
  EXPECT_EQ(out.classes[0], 3);
  EXPECT_NEAR(out.scores[0], 0.880797f, 1e-6);
  EXPECT_EQ(std::vector<std::int32_t>(out.boxes.begin(), out.boxes.begin() + 4),
            (std::vector<std::int32_t>{80, 184, 208, 312}));
}

}  // namespace
}  // namespace tessera::boxdecode
