#include "boxdecode/reference_candidates.h"

#include <cmath>

#include "boxdecode/numbers.h"  // sigmoid, nothing else

namespace tessera::boxdecode::reference {
namespace {

bool finite(const Rect& b) {
  return std::isfinite(b.x1) && std::isfinite(b.y1) && std::isfinite(b.x2) && std::isfinite(b.y2);
}

bool on_inner_edge(const Params& p, const Tile& tile, const Rect& b) {
  const float m = p.edge_penalty->margin;
  return (tile.col > 0 && b.x1 <= m) || (tile.col < p.mosaic.cols - 1 && b.x2 >= static_cast<float>(tile.width) - m) ||
         (tile.row > 0 && b.y1 <= m) || (tile.row < p.mosaic.rows - 1 && b.y2 >= static_cast<float>(tile.height) - m);
}

float a(const Params& p, const Raw& raw) {
  const float v = raw.value == 0.0f ? 0.0f : raw.value;
  return p.score_activation == ScoreActivation::Identity ? v : sigmoid(v);
}

/// One anchor slot of one cell. Without objectness its factor is 1, which changes no bit of a product.
struct Slot {
  Rect box;
  float objectness;
  const Raw* classes;
  std::size_t head, index;
  std::int64_t y, x;
};

void consider(const Params& p, const Tile& tile, const Slot& slot, std::int32_t class_id, std::vector<Found>& found) {
  const float class_score = a(p, slot.classes[class_id]);
  float score = slot.objectness * class_score;
  if (!std::isfinite(score) || !(score >= p.detection_threshold)) return;
  const Rect& box = slot.box;
  if (!finite(box) || box.x2 <= box.x1 || box.y2 <= box.y1) return;
  if (p.rank_rule == RankRule::PowerHalf125) {
    const double o = slot.objectness, c = class_score;
    score = static_cast<float>(std::sqrt(o) * (c * std::sqrt(std::sqrt(c))));
  }
  if (p.edge_penalty && on_inner_edge(p, tile, box)) score = p.edge_penalty->factor * score;
  if (!std::isfinite(score)) return;
  found.push_back({score == 0.0f ? 0.0f : score, box, class_id, slot.head, slot.index, slot.y, slot.x});
}

void visit_slot(const Params& p, const Tile& tile, const Slot& slot, std::vector<Found>& found) {
  if (p.multi_label) {
    for (std::int32_t c = 0; c < p.num_classes; ++c) consider(p, tile, slot, c, found);
    return;
  }
  std::int32_t best = 0;
  for (std::int32_t c = 1; c < p.num_classes; ++c) {
    if (ranks_above(slot.classes[c], slot.classes[best])) best = c;
  }
  consider(p, tile, slot, best, found);
}

Slot read_slot(const Inputs& in, std::size_t head, std::size_t index, std::int64_t y, std::int64_t x,
               const Cell& cell) {
  const Params& p = in.p;
  const Head& ports = p.heads[head];
  if (ports.kind == Head::Kind::Combined) {
    const auto first = static_cast<std::int64_t>(index) * (p.num_classes + 5);
    const Raw* raws = &in.of(ports.combined_port).at(y, x, first);
    return {combined_box(p, head, index, raws, cell), a(p, raws[4]), raws + 5, head, index, y, x};
  }
  const Logical& boxes = in.of(ports.box_port);
  const Rect box = separate_box(p, &boxes.at(y, x, 0), boxes.c, cell);
  const bool has_objectness = ports.kind == Head::Kind::Objectness;
  const float objectness = has_objectness ? a(p, in.of(ports.extra_input).at(y, x, 0)) : 1.0f;
  return {box, objectness, &in.of(ports.score_port).at(y, x, 0), head, index, y, x};
}

/// Any tensor of the head that tells its cells.
const Logical& main_tensor(const Inputs& in, std::size_t head) {
  const Head& ports = in.p.heads[head];
  return in.of(ports.kind == Head::Kind::Combined ? ports.combined_port : ports.score_port);
}

void visit_head(const Inputs& in, const Tile& tile, std::size_t head, std::vector<Found>& found) {
  const Params& p = in.p;
  const std::int64_t h = main_tensor(in, head).h / p.mosaic.rows, w = main_tensor(in, head).w / p.mosaic.cols;
  for (std::int64_t y = 0; y < h; ++y) {
    for (std::int64_t x = 0; x < w; ++x) {
      const Cell cell{static_cast<float>(x), static_cast<float>(y), stride_of(in, head)};
      for (std::size_t slot = 0; slot < slots_of(p, head); ++slot) {
        visit_slot(p, tile, read_slot(in, head, slot, tile.row * h + y, tile.col * w + x, cell), found);
      }
    }
  }
}

}  // namespace

float stride_of(const Inputs& in, std::size_t head) {
  return static_cast<float>(in.p.model_input_size.width) / static_cast<float>(main_tensor(in, head).w);
}

std::vector<Found> find_candidates(const Inputs& in, const Tile& tile) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < in.p.heads.size(); ++i) visit_head(in, tile, i, found);
  return found;
}

}  // namespace tessera::boxdecode::reference
