// The example of docs/boxdecode.md: compiled here, run, and compared with the page word for word.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

// [example
#include <tessera/boxdecode.h>

namespace bd = tessera::boxdecode;

// A model with one head of 40x40 cells, stride 8, two anchors per cell and three classes, for a 1280x720 photo that was
// letterboxed to 320x320.
std::string decode_one_head(std::span<const std::byte> head) {
  bd::Params params;
  params.profile = bd::Profile::AnchorGridV1;
  params.anchor_grid = {bd::AnchorLevel::darknet(/*scale_x_y=*/1.05f, /*new_coords=*/false, {{12, 16}, {36, 75}})};
  params.heads = {bd::Head::combined(0)};
  params.model_input_size = {320, 320};
  params.original_image_size = {1280, 720};
  params.resize = bd::Resize::letterbox();
  params.num_classes = 3;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.45f;
  params.max_detections = 100;
  params.accept_float32 = true;

  using tessera::DType;
  const tessera::TensorSpec inputs[] = {{.shape = {1, 40, 40, 2 * (3 + 5)}}};
  const tessera::TensorSpec outputs[] = {{.shape = {100, 4}, .dtype = DType::Int32},
                                         {.shape = {100}, .dtype = DType::Float32},
                                         {.shape = {100}, .dtype = DType::Int32},
                                         {.shape = {1}, .dtype = DType::Int32}};
  // 1. Check and prepare. The plan is immutable and can be shared by threads.
  const auto plan = bd::check_inference({inputs, outputs, params});
  if (!plan) return bd::to_string(plan.error());

  // 2. A workspace, aligned to 64 bytes. 3. A context; one per thread.
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> workspace((plan->workspace_bytes() + 63) / 64);
  auto context = bd::Context::create(*plan, std::as_writable_bytes(std::span(workspace)));
  if (!context) return bd::to_string(context.error());

  // 4. Execute, as often as wanted: no allocation, no lock, nothing remembered.
  std::array<std::array<std::int32_t, 4>, 100> boxes;
  std::array<float, 100> scores;
  std::array<std::int32_t, 100> classes;
  std::array<std::int32_t, 1> count;
  const std::span<const std::byte> bound_inputs[] = {head};
  const std::span<std::byte> bound_outputs[] = {
      std::as_writable_bytes(std::span(boxes)), std::as_writable_bytes(std::span(scores)),
      std::as_writable_bytes(std::span(classes)), std::as_writable_bytes(std::span(count))};
  const auto status = bd::execute(*context, {bound_inputs, bound_outputs});
  if (!status) return bd::to_string(status.error());

  std::string report;
  for (int i = 0; i < count[0]; ++i) {  // best first; the other rows are zero
    report += "class " + std::to_string(classes[i]) + " at " + std::to_string(boxes[i][0]) + "," +
              std::to_string(boxes[i][1]) + " to " + std::to_string(boxes[i][2]) + "," + std::to_string(boxes[i][3]) +
              "\n";
  }
  return report;
}
// example]

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(BoxDecodeDocs, ExampleFindsTheObject) {
  std::vector<float> head(40 * 40 * 16, -20.0f);
  const float slot[] = {0, 0, 0, 0, 4, -9, 3, -9};
  std::memcpy(head.data() + (20 * 40 + 10) * 16 + 8, slot, sizeof slot);
  // Centre (84, 164), size 36x75 on the canvas; the photo starts 70 pixels down and is four times as large.
  EXPECT_EQ(decode_one_head(std::as_bytes(std::span(head))), "class 1 at 264,226 to 408,526\n");
  EXPECT_EQ(decode_one_head(std::as_bytes(std::span(head)).first(100)),
            "BindingTooSmall: input [0] is 100, wanted 102400: bytes as the plan reports them");
}

TEST(BoxDecodeDocs, PageShowsThisExample) {
  const std::string source = read(TESSERA_SOURCE_DIR "/src/boxdecode/doc_example_test.cc"),
                    page = read(TESSERA_SOURCE_DIR "/docs/boxdecode.md");
  const auto begin = source.find("// [example\n") + 12, end = source.find("// example]");
  EXPECT_NE(page.find(source.substr(begin, end - begin)), std::string::npos)
      << "docs/boxdecode.md: copy the block between the marks of src/boxdecode/doc_example_test.cc";
}

}  // namespace
