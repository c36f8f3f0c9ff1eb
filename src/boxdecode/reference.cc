#include "boxdecode/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "boxdecode/numbers.h"  // sigmoid and fexp, nothing else

namespace tessera::boxdecode {
namespace {

// ---- inputs: every element of a tensor as a number with its rank among raw values

struct Raw {
  float value;
  int group;          // -1: NaN with sign, 0: number, 1: NaN without sign
  std::int64_t bits;  // orders NaNs of one group
};

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

struct Logical {
  std::int64_t h = 0, w = 0, c = 0;
  std::vector<Raw> raws;
  const Raw& at(std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return raws[static_cast<std::size_t>((y * w + x) * c + channel)];
  }
};

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

struct Rect {
  float x1, y1, x2, y2;
};

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

struct Found {
  float score;
  Rect box;
  std::int32_t class_id;
};

struct Tile {
  std::int32_t row, col, width, height;  // place in the mosaic, extents in model pixels
};

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

float iou(const Rect& p, const Rect& q) {
  const float iw = std::max(0.0f, std::min(p.x2, q.x2) - std::max(p.x1, q.x1));
  const float ih = std::max(0.0f, std::min(p.y2, q.y2) - std::max(p.y1, q.y1));
  const float i = iw * ih;
  const float area_p = (p.x2 - p.x1) * (p.y2 - p.y1), area_q = (q.x2 - q.x1) * (q.y2 - q.y1);
  const float u = (area_p + area_q) - i;
  return u > 0.0f ? i / u : 0.0f;
}

std::vector<Found> greedy_nms(const Params& p, const std::vector<Found>& candidates) {
  std::vector<Found> kept;
  for (const Found& candidate : candidates) {
    if (kept.size() == static_cast<std::size_t>(p.max_detections)) break;
    std::int32_t of_class = 0;
    bool keep = true;
    for (const Found& k : kept) {
      of_class += k.class_id == candidate.class_id;
      const bool rivals = p.nms_class_agnostic || k.class_id == candidate.class_id;
      if (rivals && iou(k.box, candidate.box) > p.nms_iou_threshold) keep = false;
    }
    if (p.max_per_class > 0 && of_class >= p.max_per_class) keep = false;
    if (keep) kept.push_back(candidate);
  }
  return kept;
}

Rect voted(const Params& p, const Found& kept, const std::vector<Found>& candidates) {
  double sum[5] = {};
  for (const Found& voter : candidates) {
    if (voter.class_id != kept.class_id || !(iou(kept.box, voter.box) > p.voting->iou)) continue;
    const double r = voter.score;
    sum[0] += r;
    sum[1] += r * static_cast<double>(voter.box.x1);
    sum[2] += r * static_cast<double>(voter.box.y1);
    sum[3] += r * static_cast<double>(voter.box.x2);
    sum[4] += r * static_cast<double>(voter.box.y2);
  }
  if (sum[0] == 0.0) return kept.box;
  return {static_cast<float>(sum[1] / sum[0]), static_cast<float>(sum[2] / sum[0]), static_cast<float>(sum[3] / sum[0]),
          static_cast<float>(sum[4] / sum[0])};
}

// ---- mapping and outputs

struct Placement {
  std::int64_t sw, sh, left, top;
};

Placement placement(const Params& p, const Tile& tile, ImageSize original) {
  const std::int64_t mw = tile.width, mh = tile.height, ow = original.width, oh = original.height;
  if (p.resize.mode == Resize::Mode::Stretch) return {mw, mh, 0, 0};
  if (p.resize.mode == Resize::Mode::Explicit) {
    return {p.resize.scaled.width, p.resize.scaled.height, p.resize.pad_left, p.resize.pad_top};
  }
  Placement placed{mw, mh, 0, 0};
  if (mw * oh <= mh * ow) {
    placed.sh = std::max<std::int64_t>(1, (2 * oh * mw + ow) / (2 * ow));
  } else {
    placed.sw = std::max<std::int64_t>(1, (2 * ow * mh + oh) / (2 * oh));
  }
  if (p.resize.anchor == Resize::Anchor::Center) {
    placed.left = (mw - placed.sw) / 2;
    placed.top = (mh - placed.sh) / 2;
  }
  return placed;
}

float map_axis(float v, std::int64_t pad, std::int64_t scaled, std::int64_t original) {
  const auto ratio = static_cast<float>(static_cast<double>(original) / static_cast<double>(scaled));
  float out = (v - static_cast<float>(pad)) * ratio;
  if (out > static_cast<float>(original)) out = static_cast<float>(original);
  if (out <= 0.0f) out = 0.0f;
  return out;
}

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

template <class T>
void append_box(std::vector<std::byte>& bytes, BoxEncoding encoding, T x1, T y1, T x2, T y2) {
  const bool corners = encoding == BoxEncoding::CornersXyxy;
  append(bytes, x1);
  append(bytes, y1);
  append(bytes, corners ? x2 : x2 - x1);
  append(bytes, corners ? y2 : y2 - y1);
}

void append_row(const Request& request, const Found& found, const Placement& at, ImageSize o, ReferenceResult& result) {
  const float x1 = map_axis(found.box.x1, at.left, at.sw, o.width),
              x2 = map_axis(found.box.x2, at.left, at.sw, o.width);
  const float y1 = map_axis(found.box.y1, at.top, at.sh, o.height),
              y2 = map_axis(found.box.y2, at.top, at.sh, o.height);
  const BoxEncoding encoding = request.params.box_encoding;
  if (request.outputs[0].dtype == DType::Float32) {
    append_box(result.outputs[0], encoding, x1, y1, x2, y2);
  } else {
    const auto round = [](float v) { return static_cast<std::int32_t>(std::floor(static_cast<double>(v) + 0.5)); };
    append_box(result.outputs[0], encoding, round(x1), round(y1), round(x2), round(y2));
  }
  append(result.outputs[1], found.score);
  append(result.outputs[2], found.class_id);
}

void decode_image(const Request& request, const Tile& tile, const std::vector<Logical>& heads, ImageSize original,
                  ReferenceResult& result) {
  const Params& p = request.params;
  std::vector<Found> found;
  for (std::size_t i = 0; i < heads.size(); ++i) visit_head(p, tile, heads[i], level_of(p, i), found);
  result.stats.candidates_seen += found.size();
  std::stable_sort(found.begin(), found.end(), [](const Found& x, const Found& y) { return x.score > y.score; });
  const auto limit = static_cast<std::size_t>(p.candidate_limit.value_or(p.multi_label ? 30'000 : 0));
  if (limit > 0 && found.size() > limit) {
    found.resize(limit);
    result.stats.candidate_limit_hit = true;
  }
  result.stats.candidates_kept += found.size();
  std::vector<Found> kept = greedy_nms(p, found);
  if (p.voting) {
    for (Found& winner : kept) winner.box = voted(p, winner, found);
  }
  for (const Found& winner : kept) append_row(request, winner, placement(p, tile, original), original, result);
  const std::size_t empty = static_cast<std::size_t>(p.max_detections) - kept.size();
  result.outputs[0].resize(result.outputs[0].size() + empty * 16);
  result.outputs[1].resize(result.outputs[1].size() + empty * 4);
  result.outputs[2].resize(result.outputs[2].size() + empty * 4);
  append(result.outputs[3], static_cast<std::int32_t>(kept.size()));
}

}  // namespace

ReferenceResult decode_reference(const Request& request, std::span<const std::span<const std::byte>> inputs,
                                 std::span<const ImageSize> original_sizes) {
  const Params& p = request.params;
  std::vector<Logical> heads;
  for (const Head& head : p.heads) {
    const auto port = static_cast<std::size_t>(head.combined_port);
    heads.push_back(expand(request.inputs[port], inputs[port]));
  }
  ReferenceResult result;
  result.outputs.resize(4);
  for (std::int32_t row = 0; row < p.mosaic.rows; ++row) {
    for (std::int32_t col = 0; col < p.mosaic.cols; ++col) {
      const auto image = static_cast<std::size_t>(row * p.mosaic.cols + col);
      const Tile tile{row, col, p.model_input_size.width / p.mosaic.cols, p.model_input_size.height / p.mosaic.rows};
      const ImageSize original = original_sizes.empty() ? p.original_image_size : original_sizes[image];
      decode_image(request, tile, heads, original, result);
    }
  }
  return result;
}

}  // namespace tessera::boxdecode
