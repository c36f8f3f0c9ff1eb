// Second half of the slow twin: selection, mapping, outputs.

#include "boxdecode/reference.h"

#include <algorithm>
#include <cmath>

#include "boxdecode/reference_candidates.h"

namespace tessera::boxdecode {
namespace {

using namespace reference;

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
  std::vector<Found> found = find_candidates(p, tile, heads);
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
