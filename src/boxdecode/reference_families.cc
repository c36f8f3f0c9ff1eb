#include "boxdecode/reference_families.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "boxdecode/numbers.h"  // sigmoid and fexp, nothing else

namespace tessera::boxdecode::reference {
namespace {

Rect around(float cx, float cy, float w, float h) {
  return {cx - w * 0.5f, cy - h * 0.5f, cx + w * 0.5f, cy + h * 0.5f};
}

// ---- combined heads, from the published tables once more

struct Level {
  bool square;
  float scale, offset;
  std::vector<std::array<float, 2>> anchors;
};

constexpr float kSmall[3][3][2] = {
    {{10, 13}, {16, 30}, {33, 23}}, {{30, 61}, {62, 45}, {59, 119}}, {{116, 90}, {156, 198}, {373, 326}}};
constexpr float kLarge[3][3][2] = {
    {{12, 16}, {19, 36}, {40, 28}}, {{36, 75}, {76, 55}, {72, 146}}, {{142, 110}, {192, 243}, {459, 401}}};

Level fixed_level(bool square, float scale, float offset, const float (&anchors)[3][2]) {
  Level level{square, scale, offset, {}};
  for (const auto& anchor : anchors) level.anchors.push_back({anchor[0], anchor[1]});
  return level;
}

Level level_of(const Params& p, std::size_t head) {
  if (p.profile == Profile::AnchorGridV1) {
    const AnchorLevel& level = p.anchor_grid[head];
    return {level.formula == AnchorLevel::Formula::Square, level.scale, level.offset, level.anchors};
  }
  if (p.profile == Profile::YoloV3V1) return fixed_level(false, 1.0f, 0.0f, kSmall[head]);
  if (p.profile == Profile::YoloV4V1) {
    constexpr float kScales[] = {1.2f, 1.1f, 1.05f}, kOffsets[] = {0.1f, 0.05f, 0.025f};
    return fixed_level(false, kScales[head], kOffsets[head], kLarge[head]);
  }
  return fixed_level(true, 0.0f, 0.0f, p.profile == Profile::YoloV7V1 ? kLarge[head] : kSmall[head]);
}

// ---- separate box tensors

Rect from_distances(float l, float t, float r, float b, const Cell& cell) {
  const float ax = cell.col + 0.5f, ay = cell.row + 0.5f;
  return {(ax - l) * cell.stride, (ay - t) * cell.stride, (ax + r) * cell.stride, (ay + b) * cell.stride};
}

// The mean of a distribution over 0 ... bins - 1. NaN and +inf among the logits give NaN, as do -inf alone.
float expected_distance(const Raw* z, std::int64_t bins) {
  double m = -std::numeric_limits<double>::infinity();
  for (std::int64_t j = 0; j < bins; ++j) m = z[j].value > m ? static_cast<double>(z[j].value) : m;
  double weighted = 0.0, sum = 0.0;
  for (std::int64_t j = 0; j < bins; ++j) {
    const double e = std::exp(static_cast<double>(z[j].value) - m);
    weighted += static_cast<double>(j) * e;
    sum += e;
  }
  return static_cast<float>(weighted / sum);
}

}  // namespace

std::size_t slots_of(const Params& p, std::size_t head) {
  if (p.heads[head].kind != Head::Kind::Combined) return 1;
  return p.profile == Profile::AnchorGridV1 ? p.anchor_grid[head].anchors.size() : 3;
}

Rect combined_box(const Params& p, std::size_t head, std::size_t slot, const Raw* t, const Cell& cell) {
  const Level level = level_of(p, head);
  const auto& anchor = level.anchors[slot];
  const bool activated = p.score_activation == ScoreActivation::Identity;
  const auto act = [activated](const Raw& raw) { return activated ? raw.value : sigmoid(raw.value); };
  if (level.square) {
    const float cx = ((2.0f * act(t[0]) - 0.5f) + cell.col) * cell.stride;
    const float cy = ((2.0f * act(t[1]) - 0.5f) + cell.row) * cell.stride;
    const float u = 2.0f * act(t[2]), v = 2.0f * act(t[3]);
    return around(cx, cy, (u * u) * anchor[0], (v * v) * anchor[1]);
  }
  const bool plain = level.scale == 1.0f && level.offset == 0.0f;
  const float sx = sigmoid(t[0].value), sy = sigmoid(t[1].value);
  const float cx = ((plain ? sx : level.scale * sx - level.offset) + cell.col) * cell.stride;
  const float cy = ((plain ? sy : level.scale * sy - level.offset) + cell.row) * cell.stride;
  return around(cx, cy, fexp(t[2].value) * anchor[0], fexp(t[3].value) * anchor[1]);
}

Rect separate_box(const Params& p, const Raw* t, std::int64_t channels, const Cell& cell) {
  if (p.profile == Profile::YoloXV1) {
    return around((t[0].value + cell.col) * cell.stride, (t[1].value + cell.row) * cell.stride,
                  fexp(t[2].value) * cell.stride, fexp(t[3].value) * cell.stride);
  }
  if (channels == 4) return from_distances(t[0].value, t[1].value, t[2].value, t[3].value, cell);
  const std::int64_t bins = channels / 4;
  const auto side = [&](std::int64_t i) { return expected_distance(t + i * bins, bins); };
  return from_distances(side(0), side(1), side(2), side(3), cell);
}

Point keypoint(const Params& p, const Raw* t, const Cell& cell) {
  const float kx = t[0].value, ky = t[1].value;
  if (p.profile == Profile::Yolo26RawLtrb) {
    return {(kx + (cell.col + 0.5f)) * cell.stride, (ky + (cell.row + 0.5f)) * cell.stride};
  }
  return {(2.0f * kx + cell.col) * cell.stride, (2.0f * ky + cell.row) * cell.stride};
}

}  // namespace tessera::boxdecode::reference
