#include "boxdecode/reference_candidates.h"

#include <array>
#include <cmath>
#include <cstring>

#include "boxdecode/numbers.h"  // sigmoid and fexp, nothing else

namespace tessera::boxdecode::reference {
namespace {

bool ranks_above(const Raw& a, const Raw& b) {
  if (a.group != b.group) return a.group > b.group;
  return a.group == 0 ? a.value > b.value : (a.group == 1 ? a.bits > b.bits : a.bits < b.bits);
}

Raw from_float_bits(std::uint32_t bits) {
  Raw raw{0.0f, 0, bits};
  std::memcpy(&raw.value, &bits, 4);
  if (std::isnan(raw.value)) raw.group = std::signbit(raw.value) ? -1 : 1;
  return raw;
}

Raw read_element(const TensorSpec& spec, const std::byte* at) {
  if (spec.dtype == DType::Int8) {
    std::int8_t q;
    std::memcpy(&q, at, 1);
    const auto difference = static_cast<float>(q - spec.quant->zero_point);
    return {difference * spec.quant->scale, 0, q};
  }
  std::uint32_t bits = 0;
  if (spec.dtype == DType::BFloat16) {
    std::memcpy(reinterpret_cast<char*>(&bits) + 2, at, 2);
  } else {
    std::memcpy(&bits, at, 4);
  }
  return from_float_bits(bits);
}

// ---- geometry, from the published tables once more

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

bool finite(const Rect& b) {
  return std::isfinite(b.x1) && std::isfinite(b.y1) && std::isfinite(b.x2) && std::isfinite(b.y2);
}

Rect decode_box(const Level& level, std::size_t slot, const float* t, bool activated, float col, float row, float st) {
  const auto act = [activated](float v) { return activated ? v : sigmoid(v); };
  float cx, cy, w, h;
  if (level.square) {
    cx = ((2.0f * act(t[0]) - 0.5f) + col) * st;
    cy = ((2.0f * act(t[1]) - 0.5f) + row) * st;
    const float u = 2.0f * act(t[2]), v = 2.0f * act(t[3]);
    w = (u * u) * level.anchors[slot][0];
    h = (v * v) * level.anchors[slot][1];
  } else {
    const bool plain = level.scale == 1.0f && level.offset == 0.0f;
    const float sx = sigmoid(t[0]), sy = sigmoid(t[1]);
    cx = ((plain ? sx : level.scale * sx - level.offset) + col) * st;
    cy = ((plain ? sy : level.scale * sy - level.offset) + row) * st;
    w = fexp(t[2]) * level.anchors[slot][0];
    h = fexp(t[3]) * level.anchors[slot][1];
  }
  return {cx - w * 0.5f, cy - h * 0.5f, cx + w * 0.5f, cy + h * 0.5f};
}

// ---- one image: candidates, selection

bool on_inner_edge(const Params& p, const Tile& tile, const Rect& b) {
  const float m = p.edge_penalty->margin;
  return (tile.col > 0 && b.x1 <= m) || (tile.col < p.mosaic.cols - 1 && b.x2 >= static_cast<float>(tile.width) - m) ||
         (tile.row > 0 && b.y1 <= m) || (tile.row < p.mosaic.rows - 1 && b.y2 >= static_cast<float>(tile.height) - m);
}

float a(const Params& p, const Raw& raw) {
  const float v = raw.value == 0.0f ? 0.0f : raw.value;
  return p.score_activation == ScoreActivation::Identity ? v : sigmoid(v);
}

void consider(const Params& p, const Tile& tile, float objectness, float class_score, std::int32_t class_id,
              const Rect& box, std::vector<Found>& found) {
  float score = objectness * class_score;
  if (!std::isfinite(score) || !(score >= p.detection_threshold)) return;
  if (!finite(box) || box.x2 <= box.x1 || box.y2 <= box.y1) return;
  if (p.rank_rule == RankRule::PowerHalf125) {
    const double o = objectness, c = class_score;
    score = static_cast<float>(std::sqrt(o) * (c * std::sqrt(std::sqrt(c))));
  }
  if (p.edge_penalty && on_inner_edge(p, tile, box)) score = p.edge_penalty->factor * score;
  if (!std::isfinite(score)) return;
  found.push_back({score == 0.0f ? 0.0f : score, box, class_id});
}

void visit_slot(const Params& p, const Tile& tile, const Raw* slot, const Rect& box, std::vector<Found>& found) {
  const float objectness = a(p, slot[4]);
  if (p.multi_label) {
    for (std::int32_t c = 0; c < p.num_classes; ++c) consider(p, tile, objectness, a(p, slot[5 + c]), c, box, found);
    return;
  }
  std::int32_t best = 0;
  for (std::int32_t c = 1; c < p.num_classes; ++c) {
    if (ranks_above(slot[5 + c], slot[5 + best])) best = c;
  }
  consider(p, tile, objectness, a(p, slot[5 + best]), best, box, found);
}

void visit_head(const Params& p, const Tile& tile, const Logical& tensor, const Level& level,
                std::vector<Found>& found) {
  const std::int64_t h = tensor.h / p.mosaic.rows, w = tensor.w / p.mosaic.cols;
  const float st = static_cast<float>(p.model_input_size.width) / static_cast<float>(tensor.w);
  for (std::int64_t y = 0; y < h; ++y) {
    for (std::int64_t x = 0; x < w; ++x) {
      for (std::size_t slot = 0; slot < level.anchors.size(); ++slot) {
        const auto first = static_cast<std::int64_t>(slot) * (p.num_classes + 5);
        const Raw* raws = &tensor.at(tile.row * h + y, tile.col * w + x, first);
        const float t[4] = {raws[0].value, raws[1].value, raws[2].value, raws[3].value};
        const bool activated = p.score_activation == ScoreActivation::Identity;
        const Rect box = decode_box(level, slot, t, activated, static_cast<float>(x), static_cast<float>(y), st);
        visit_slot(p, tile, raws, box, found);
      }
    }
  }
}

}  // namespace

Logical expand(const TensorSpec& spec, std::span<const std::byte> bytes) {
  const int last = spec.shape.rank() - 1;
  Logical tensor{spec.shape[last - 2], spec.shape[last - 1], spec.shape[last], {}};
  std::int64_t pixel = tensor.c * element_size(spec.dtype), row = tensor.w * pixel;
  if (const auto* strided = std::get_if<Strided>(&spec.layout)) {
    row = strided->byte_strides[last - 2];
    pixel = strided->byte_strides[last - 1];
  }
  for (std::int64_t y = 0; y < tensor.h; ++y) {
    for (std::int64_t x = 0; x < tensor.w; ++x) {
      for (std::int64_t c = 0; c < tensor.c; ++c) {
        tensor.raws.push_back(read_element(spec, bytes.data() + y * row + x * pixel + c * element_size(spec.dtype)));
      }
    }
  }
  return tensor;
}

std::vector<Found> find_candidates(const Params& p, const Tile& tile, const std::vector<Logical>& heads) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < heads.size(); ++i) visit_head(p, tile, heads[i], level_of(p, i), found);
  return found;
}

}  // namespace tessera::boxdecode::reference
