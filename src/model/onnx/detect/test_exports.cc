#include "model/onnx/detect/test_exports.h"

namespace tessera::onnx::test {
namespace {

/// [1, C, H, W] of each level to [1, C, A].
int all_cells(Exporter& e, const std::vector<int>& levels, std::int64_t channels) {
  std::vector<int> flat;
  for (const int level : levels) flat.push_back(e.reshape(level, {1, channels, -1}));
  return e.concat(flat, 2);
}

/// [1, 4 * bins, A] to [1, 4, A].
int mean_distance(Exporter& e, int box, const Style& style) {
  if (style.bins == 1) return box;
  std::vector<float> steps(static_cast<std::size_t>(style.bins));
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<float>(i);
  const int split = e.reshape(box, {1, 4, style.bins, kCells});
  if (style.matmul) {
    const int last = e.node("Softmax", {e.transpose(split, {0, 1, 3, 2})}, {{"axis", std::int64_t{-1}}});
    return e.node("MatMul", {last, e.constant(real_tensor({style.bins}, steps))});
  }
  const int first = e.node("Softmax", {e.transpose(split, {0, 2, 1, 3})}, {{"axis", std::int64_t{1}}});
  return e.reshape(e.node("Conv", {first, e.constant(real_tensor({1, style.bins, 1, 1}, steps))}), {1, 4, kCells});
}

/// Distances in cells to boxes in pixels, [1, 4, A].
int boxes_of(Exporter& e, int distances, const Style& style) {
  const int middle = e.constant(grid(0.5f));
  const auto sides = e.split(distances, {2, 2}, 1);
  const int near = e.node("Sub", {middle, sides[0]}), far = e.node("Add", {middle, sides[1]});
  int boxes = e.concat({near, far}, 1);
  if (!style.corners) {
    const int center = e.node("Div", {e.node("Add", {near, far}), e.number(2)});
    boxes = e.concat({center, e.node("Sub", {far, near})}, 1);
  }
  Tensor strides = strides_of_cells();
  if (style.top_stride != 0) {
    std::vector<float> numbers(strides.reals->begin(), strides.reals->end());
    for (std::int64_t i = kCells - cells(kStrides[2]); i < kCells; ++i)
      numbers[i] = static_cast<float>(style.top_stride);
    strides = real_tensor(strides.dims, numbers);
  }
  return e.node("Mul", {boxes, e.constant(strides)});
}

/// Two steps of TopK, as the end-to-end families have them: places by their best class, then pairs of place and class.
int best_of(Exporter& e, int boxes, int scores, const Style& style) {
  const std::int64_t k = style.best, n = style.classes;
  const int rows = e.transpose(boxes, {0, 2, 1}), classes = e.transpose(scores, {0, 2, 1});
  const int top = e.node("ReduceMax", {classes}, {{"axes", Ints{-1}}, {"keepdims", std::int64_t{0}}});
  const int places = e.nodes("TopK", {top, e.ints({k})}, {{"axis", std::int64_t{-1}}}, 2)[1];
  const int index = e.node("Unsqueeze", {places, e.ints({-1})});
  const int picked =
      e.node("GatherElements", {rows, e.node("Tile", {index, e.ints({1, 1, 4})})}, {{"axis", std::int64_t{1}}});
  const int their =
      e.node("GatherElements", {classes, e.node("Tile", {index, e.ints({1, 1, n})})}, {{"axis", std::int64_t{1}}});
  const auto best = e.nodes("TopK", {e.reshape(their, {1, -1}), e.ints({k})}, {{"axis", std::int64_t{-1}}}, 2);
  const int number = e.constant(integer_tensor({}, {n}));
  const int label = e.node("Cast", {e.node("Mod", {best[1], number})}, {{"to", std::int64_t{1}}});
  const int place = e.node("Unsqueeze", {e.node("Div", {best[1], number}), e.ints({-1})});
  const int kept =
      e.node("GatherElements", {picked, e.node("Tile", {place, e.ints({1, 1, 4})})}, {{"axis", std::int64_t{1}}});
  const int last = e.ints({-1});
  return e.concat({kept, e.node("Unsqueeze", {best[0], last}), e.node("Unsqueeze", {label, last})}, 2);
}

void add_outputs(Exporter& e, int boxes, int scores, const Style& style) {
  if (style.best > 0) {
    e.graph.outputs = {best_of(e, boxes, scores, style)};
    return;
  }
  std::vector<int> parts{boxes, scores};
  if (style.objectness_of_one) {
    parts.insert(parts.begin() + 1, e.constant(real_tensor({1, 1, kCells}, std::vector<float>(kCells, 1.0f))));
  }
  if (style.separate) {
    for (int& part : parts) part = style.transposed ? e.transpose(part, {0, 2, 1}) : part;
    e.graph.outputs = parts;
    return;
  }
  const int all = e.concat(parts, 1);
  e.graph.outputs = {style.transposed ? e.transpose(all, {0, 2, 1}) : all};
}

}  // namespace

Exporter export_distances(const Style& style) {
  Exporter e;
  const std::int64_t sides = 4 * style.bins, n = style.classes;
  std::vector<int> levels;
  for (const std::int64_t stride : kStrides) {
    if (style.joined) {
      levels.push_back(e.head(sides + n, stride));
      continue;
    }
    const int box = e.head(sides, stride), scores = e.head(n, stride);
    if (!style.raw) levels.push_back(e.concat({box, scores}, 1));
    if (style.raw) e.graph.outputs.insert(e.graph.outputs.end(), {box, e.node("Sigmoid", {scores})});
  }
  if (style.raw) return e;
  const auto parts = e.split(all_cells(e, levels, sides + n), {sides, n}, 1);
  const int boxes = boxes_of(e, mean_distance(e, parts[0], style), style);
  add_outputs(e, boxes, style.sigmoid ? e.node("Sigmoid", {parts[1]}) : parts[1], style);
  return e;
}

Exporter export_yolox(int classes, bool decoded) {
  Exporter e;
  std::vector<int> levels;
  for (const std::int64_t stride : kStrides) {
    const int scores = e.head(classes, stride), box = e.head(4, stride), objectness = e.head(1, stride);
    levels.push_back(e.concat({box, e.node("Sigmoid", {objectness}), e.node("Sigmoid", {scores})}, 1));
  }
  int all = all_cells(e, levels, classes + 5);
  if (decoded) {
    const auto parts = e.split(all, {2, 2, classes + 1}, 1);
    const int stride = e.constant(strides_of_cells());
    const int center = e.node("Mul", {e.node("Add", {parts[0], e.constant(grid(0))}), stride});
    all = e.concat({center, e.node("Mul", {e.node("Exp", {parts[1]}), stride}), parts[2]}, 1);
  }
  e.graph.outputs = {e.transpose(all, {0, 2, 1})};
  return e;
}

namespace {

/// [1, 1, H, W, 2]: columns and lines, plus `shift`.
Tensor level_grid(std::int64_t side, float shift) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < side * side; ++i) {
    out.push_back(static_cast<float>(i % side) + shift);
    out.push_back(static_cast<float>(i / side) + shift);
  }
  return real_tensor({1, 1, side, side, 2}, out);
}

int decode_level(Exporter& e, int fields, std::size_t level, const AnchorStyle& style) {
  const std::int64_t stride = kStrides[level], side = Exporter::kSide / stride;
  const auto parts = e.split(fields, {2, 2, style.classes + 1}, 4);
  const int anchors = e.constant(real_tensor({1, 3, 1, 1, 2}, {kAnchors[level].begin(), kAnchors[level].end()}));
  const float scale = style.exp ? style.scale_xy : 2.0f;
  const int moved = e.node("Mul", {e.node("Sigmoid", {parts[0]}), e.number(scale)});
  const int center = e.node("Mul", {e.node("Add", {moved, e.constant(level_grid(side, (1 - scale) / 2))}),
                                    e.number(static_cast<float>(stride))});
  const int twice = style.exp ? e.node("Exp", {parts[1]}) : e.node("Mul", {e.node("Sigmoid", {parts[1]}), e.number(2)});
  const int size = e.node("Mul", {style.exp ? twice : e.node("Pow", {twice, e.number(2)}), anchors});
  const int scores = e.node("Sigmoid", {parts[2]});
  if (!style.corners) return e.concat({center, size, scores}, 4);
  const int half = e.node("Mul", {size, e.number(0.5f)});
  return e.concat({e.node("Sub", {center, half}), e.node("Add", {center, half}), scores}, 4);
}

}  // namespace

Exporter export_anchors(const AnchorStyle& style) {
  Exporter e;
  const std::int64_t columns = style.classes + 5;
  std::vector<int> levels;
  for (std::size_t l = 0; l < kStrides.size(); ++l) {
    const std::int64_t side = Exporter::kSide / kStrides[l];
    const int head = e.head(3 * columns, kStrides[l]);
    if (style.raw) {
      e.graph.outputs.push_back(head);
      continue;
    }
    const int fields = e.transpose(e.reshape(head, {1, 3, columns, side, side}), {0, 1, 3, 4, 2});
    int level = decode_level(e, fields, l, style);
    if (style.cells_first) level = e.transpose(level, {0, 2, 3, 1, 4});
    levels.push_back(style.per_level ? level : e.reshape(level, {1, -1, columns}));
  }
  if (!style.raw) e.graph.outputs = style.per_level ? levels : std::vector<int>{e.concat(levels, 1)};
  return e;
}

}  // namespace tessera::onnx::test
