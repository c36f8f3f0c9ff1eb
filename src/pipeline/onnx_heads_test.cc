// What replaces a detector's tail gives what the tail gives: BoxDecode on the raw heads beside the tail's own operators
// and an obvious suppression.
#include <gtest/gtest.h>
#include <tessera/boxdecode.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/onnx/detect/detect.h"
#include "model/onnx/detect/tail.h"
#include "model/onnx/detect/test_exports.h"
#include "pipeline/families.h"

namespace tessera::onnx {
namespace {

using test::export_anchors;
using test::export_distances;
using test::Exporter;

constexpr float kThreshold = 0.3f, kIou = 0.45f;
constexpr int kMost = 84;

struct Object {
  std::int32_t class_id = 0;
  float score = 0;
  std::array<float, 4> box{};  ///< xyxy
};

/// How an export's rows are read.
struct Layout {
  bool columns_first = false, objectness = false, corners = false, list = false;
};

std::vector<Tensor> random_heads(const Exporter& e, const Cut& cut, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> spread(-2.5f, 2.0f);
  std::vector<Tensor> out;
  for (const int value : cut.heads) {
    const Dims& dims = e.shapes.at(value);
    std::vector<float> numbers(static_cast<std::size_t>(dims[1] * dims[2] * dims[3]));
    // Distances that are no distributions are positive: a list of the best has no room for boxes without extent.
    for (float& v : numbers) v = dims[1] == 4 ? std::abs(spread(random)) : spread(random);
    out.push_back(real_tensor(dims, std::move(numbers)));
  }
  return out;
}

/// Candidates of the tail's output, in its order.
std::vector<Object> rows_of(const Tensor& output, const Layout& layout, int classes) {
  std::vector<Object> out;
  const int skipped = layout.objectness ? 5 : 4;
  const std::int64_t columns = layout.list ? 6 : skipped + classes, rows = output.size() / columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto at = [&](std::int64_t column) {
      return static_cast<float>(output.at(layout.columns_first ? column * rows + row : row * columns + column));
    };
    Object object;
    for (int i = 0; i < 4; ++i) object.box[i] = at(i);
    const auto [x, y, w, h] = object.box;
    if (!layout.corners) object.box = {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
    object.score = at(4);
    object.class_id = layout.list ? static_cast<std::int32_t>(at(5)) : 0;
    if (!layout.list) {
      for (int k = 1; k < classes; ++k) {
        if (at(skipped + k) > at(skipped + object.class_id)) object.class_id = k;
      }
      object.score = at(skipped + object.class_id) * (layout.objectness ? at(4) : 1.0f);
    }
    out.push_back(object);
  }
  return out;
}

double iou(const Object& a, const Object& b) {
  const double w = std::min(a.box[2], b.box[2]) - std::max(a.box[0], b.box[0]);
  const double h = std::min(a.box[3], b.box[3]) - std::max(a.box[1], b.box[1]);
  const auto area = [](const Object& o) { return double{o.box[2] - o.box[0]} * (o.box[3] - o.box[1]); };
  const double both = std::max(w, 0.0) * std::max(h, 0.0);
  return both > 0 ? both / (area(a) + area(b) - both) : 0;
}

/// Threshold, best first, suppression within a class; then clamped to the canvas.
std::vector<Object> selected(std::vector<Object> rows, bool suppress) {
  std::erase_if(rows,
                [](const Object& o) { return o.score < kThreshold || o.box[2] <= o.box[0] || o.box[3] <= o.box[1]; });
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Object::score);
  std::vector<Object> out;
  for (const Object& next : rows) {
    const auto covers = [&](const Object& kept) { return kept.class_id == next.class_id && iou(kept, next) > kIou; };
    if (!suppress || std::ranges::none_of(out, covers)) out.push_back(next);
  }
  for (Object& object : out) {
    for (float& v : object.box) v = std::clamp(v, 0.0f, static_cast<float>(Exporter::kSide));
  }
  return out;
}

/// Channels [begin, begin + count) of [1, C, H, W] as HxWxcount.
std::vector<float> pixels(const Tensor& head, const Found::Tensor& part) {
  const std::int64_t cells = head.dims[2] * head.dims[3];
  std::vector<float> out;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    for (std::int64_t c = 0; c < part.count; ++c) {
      out.push_back((*head.reals)[static_cast<std::size_t>((part.begin + c) * cells + cell)]);
    }
  }
  return out;
}

std::vector<Object> box_decoded(const Found& found, const Cut& cut, std::span<const Tensor> heads) {
  namespace bd = boxdecode;
  bd::Params params = head_params(found.spec).value();
  params.model_input_size = params.original_image_size = {Exporter::kSide, Exporter::kSide};
  params.max_detections = kMost;
  params.detection_threshold = kThreshold;
  params.nms_iou_threshold = default_nms_iou(found.spec);
  params.multi_label = params.nms_iou_threshold == 0;  // a list of the best may name a place twice
  std::vector<std::vector<float>> numbers;
  std::vector<TensorSpec> inputs;
  for (const Found::Tensor& part : found.tensors) {
    const Tensor& head = heads[std::ranges::find(cut.heads, part.value) - cut.heads.begin()];
    numbers.push_back(pixels(head, part));
    inputs.push_back({.shape = {head.dims[2], head.dims[3], part.count}});
  }
  const TensorSpec outputs[] = {{{kMost, 4}}, {{kMost}}, {{kMost}, DType::Int32}, {{1}, DType::Int32}};
  const auto plan = bd::check_inference({inputs, outputs, params});
  if (!plan) {
    ADD_FAILURE() << bd::to_string(plan.error());
    return {};
  }
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> workspace(plan->workspace_bytes() / 64 + 1);
  auto context = bd::Context::create(*plan, std::as_writable_bytes(std::span(workspace)));
  std::array<std::array<float, 4>, kMost> boxes{};
  std::array<float, kMost> scores{};
  std::array<std::int32_t, kMost> classes{};
  std::array<std::int32_t, 1> count{};
  std::vector<std::span<const std::byte>> bound;
  for (const auto& n : numbers) bound.push_back(std::as_bytes(std::span(n)));
  const std::span<std::byte> results[] = {
      std::as_writable_bytes(std::span(boxes)), std::as_writable_bytes(std::span(scores)),
      std::as_writable_bytes(std::span(classes)), std::as_writable_bytes(std::span(count))};
  const auto done = bd::execute(*context, {bound, results});
  EXPECT_TRUE(done.has_value());
  std::vector<Object> out;
  for (int i = 0; i < count[0]; ++i) out.push_back({classes[i], scores[i], boxes[i]});
  return out;
}

/// The tail rounds about twenty times on a coordinate's way, to 2^-24 of the largest number there: the canvas and the
/// longest distance (16 bins of 32 pixels, or 4 times the largest anchor).
void expect_equal(const std::vector<Object>& got, const std::vector<Object>& want, float largest) {
  ASSERT_EQ(got.size(), want.size());
  ASSERT_GT(want.size(), 3u) << "nothing to compare";
  const double pixels = 32 * 0x1p-24 * largest, score = 32 * 0x1p-24;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].class_id, want[i].class_id) << "row " << i;
    EXPECT_NEAR(got[i].score, want[i].score, score) << "row " << i;
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(got[i].box[k], want[i].box[k], pixels) << "row " << i << " side " << k;
  }
}

void compare(const Exporter& e, int classes, const Layout& layout, float largest) {
  const auto cut = cut_at_heads(e.graph);
  ASSERT_TRUE(cut.has_value()) << cut.error().message;
  const auto found = find_detector(e.graph, *cut, {}, e.shape_of());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto heads = random_heads(e, *cut, seed);
    const auto outputs = run_tail(e.graph, *cut, heads, e.shape_of());
    ASSERT_TRUE(outputs.has_value()) << outputs.error().message;
    auto want = selected(rows_of(outputs->front(), layout, classes), !layout.list);
    if (want.size() > kMost) want.resize(kMost);
    expect_equal(box_decoded(*found, *cut, heads), want, largest);
  }
}

constexpr float kDistances = 64 + 2 * 16 * 32;

TEST(OnnxHeads, DistributionsAreWhatTheTailDecodes) {
  compare(export_distances({.classes = 5}), 5, {.columns_first = true}, kDistances);
  compare(export_distances({.classes = 5, .joined = true, .transposed = true}), 5, {}, kDistances);
  compare(export_distances({.classes = 1, .corners = true, .matmul = true}), 1,
          {.columns_first = true, .corners = true}, kDistances);
}

TEST(OnnxHeads, Yolov6) {
  const Layout layout{.objectness = true};
  compare(export_distances({.bins = 1, .transposed = true, .objectness_of_one = true}), 3, layout, kDistances);
  compare(export_distances({.bins = 17, .transposed = true, .objectness_of_one = true}), 3, layout, kDistances);
}

TEST(OnnxHeads, ListsOfTheBest) {
  const Layout layout{.corners = true, .list = true};
  compare(export_distances({.corners = true, .best = kMost}), 3, layout, kDistances);
  compare(export_distances({.classes = 7, .bins = 1, .corners = true, .best = kMost}), 7, layout, kDistances);
}

TEST(OnnxHeads, Yolox) { compare(test::export_yolox(4, true), 4, {.objectness = true}, kDistances); }

TEST(OnnxHeads, Anchors) {
  const Layout layout{.objectness = true};
  compare(export_anchors({}), 3, layout, 4 * 373);
  compare(export_anchors({.cells_first = true}), 3, layout, 4 * 373);
  compare(export_anchors({.exp = true, .scale_xy = 1.2f}), 3, layout, 8 * 373);
}

}  // namespace
}  // namespace tessera::onnx
