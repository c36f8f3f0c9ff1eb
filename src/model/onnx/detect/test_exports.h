#pragma once
// Graphs with the structure of each family's export, written from the families' public descriptions: a 64x64 input, one
// convolution per raw head in the place of a network, and the tail.

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/onnx/detect/levels.h"

namespace tessera::onnx::test {

using Ints = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

/// Appends values and nodes to a graph.
class Exporter {
 public:
  Exporter() {
    graph.opset = 17;
    const int input = value("images");
    graph.inputs.push_back({input, Kind::real, {1, 3, kSide, kSide}, {"", "", "", ""}});
    shapes[input] = {1, 3, kSide, kSide};
  }

  int value(std::string name) {
    graph.values.push_back({std::move(name), std::nullopt});
    return static_cast<int>(graph.values.size()) - 1;
  }
  int constant(Tensor tensor) {
    const int id = value("constant_" + std::to_string(graph.values.size()));
    graph.values.back().constant = std::move(tensor);
    return id;
  }
  int ints(Ints numbers) { return constant(integer_tensor({static_cast<std::int64_t>(numbers.size())}, numbers)); }
  int number(float v) { return constant(real_tensor({}, {v})); }

  std::vector<int> nodes(const std::string& op, std::vector<int> inputs, Attributes attributes, std::size_t outputs) {
    IrNode node{op, op + "_" + std::to_string(graph.nodes.size()), std::move(inputs), {}, std::move(attributes)};
    for (std::size_t i = 0; i < outputs; ++i) node.outputs.push_back(value(node.name + "_" + std::to_string(i)));
    graph.nodes.push_back(node);
    return node.outputs;
  }
  int node(const std::string& op, std::vector<int> inputs, Attributes attributes = {}) {
    return nodes(op, std::move(inputs), std::move(attributes), 1).front();
  }

  /// A raw head: a convolution of the input with this stride.
  int head(std::int64_t channels, std::int64_t stride) {
    const auto weights = constant(real_tensor({channels, 3, 1, 1}, std::vector<float>(channels * 3, 0.125f)));
    const int id = node("Conv", {graph.inputs.front().value, weights}, {{"strides", Ints{stride, stride}}});
    shapes[id] = {1, channels, kSide / stride, kSide / stride};
    return id;
  }

  int reshape(int x, Ints shape) { return node("Reshape", {x, ints(std::move(shape))}); }
  int transpose(int x, Ints perm) { return node("Transpose", {x}, {{"perm", std::move(perm)}}); }
  int concat(std::vector<int> inputs, std::int64_t axis) { return node("Concat", std::move(inputs), {{"axis", axis}}); }
  std::vector<int> split(int x, Ints sizes, std::int64_t axis) {
    const std::size_t count = sizes.size();
    return nodes("Split", {x, ints(std::move(sizes))}, {{"axis", axis}}, count);
  }

  ShapeOf shape_of() const {
    return [shapes = shapes](int id) {
      const auto found = shapes.find(id);
      return found == shapes.end() ? std::optional<Dims>() : std::optional(found->second);
    };
  }

  static constexpr std::int64_t kSide = 64;
  IrGraph graph;
  std::map<int, Dims> shapes;
};

inline constexpr std::array<std::int64_t, 3> kStrides{8, 16, 32};
inline constexpr std::int64_t kCells = 64 + 16 + 4;
inline std::int64_t cells(std::int64_t stride) { return (Exporter::kSide / stride) * (Exporter::kSide / stride); }

/// Per cell of all levels: column, line (plus `middle`), stride. [2 or 1, A], strides ascending.
inline Tensor grid(float middle) {
  std::vector<float> x, y;
  for (const std::int64_t stride : kStrides) {
    const std::int64_t side = Exporter::kSide / stride;
    for (std::int64_t i = 0; i < side * side; ++i) {
      x.push_back(static_cast<float>(i % side) + middle);
      y.push_back(static_cast<float>(i / side) + middle);
    }
  }
  x.insert(x.end(), y.begin(), y.end());
  return real_tensor({1, 2, kCells}, x);
}
inline Tensor strides_of_cells() {
  std::vector<float> out;
  for (const std::int64_t stride : kStrides) out.insert(out.end(), cells(stride), static_cast<float>(stride));
  return real_tensor({1, 1, kCells}, out);
}

struct Style {
  int classes = 3;
  int bins = 16;            ///< of a distribution; 1: plain distances
  bool joined = false;      ///< boxes and scores in one convolution
  bool transposed = false;  ///< [1, A, columns] instead of [1, columns, A]
  bool sigmoid = true;      ///< scores become probabilities
  bool corners = false;     ///< xyxy instead of cxcywh
  bool separate = false;    ///< boxes and scores are outputs of their own
  bool raw = false;         ///< no decoding: the heads of each level are outputs
  bool matmul = false;      ///< the mean of a distribution as MatMul instead of a convolution
  std::int64_t best = 0;    ///< an end-to-end tail with so many rows; 0: none
  bool objectness_of_one = false;
  std::int64_t top_stride = 0;  ///< an error: the coarsest level is multiplied by this stride
};

/// Boxes from distances and classes: YOLOv6, v8, v9, v10, 11, YOLO26.
Exporter export_distances(const Style& style);
/// YOLOX; `decoded` as with decode_in_inference.
Exporter export_yolox(int classes, bool decoded);

inline const std::array<std::array<float, 6>, 3> kAnchors{
    {{10, 13, 16, 30, 33, 23}, {30.5f, 61, 62, 45, 59, 119.25f}, {116, 90, 156, 198, 373, 326}}};
struct AnchorStyle {
  int classes = 3;
  bool exp = false;        ///< YOLOv3's formula instead of YOLOv5's
  float scale_xy = 1.0f;   ///< with exp
  bool per_level = false;  ///< an output per level, [1, 3, H, W, 5 + classes]
  bool raw = false;        ///< the convolutions are the outputs
  bool cells_first = false;
  bool corners = false;
};
Exporter export_anchors(const AnchorStyle& style);

}  // namespace tessera::onnx::test
