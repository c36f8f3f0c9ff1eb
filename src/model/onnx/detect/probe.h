#pragma once
// Raw heads chosen so that a tail gives itself away, and what the family's formula makes of them.

#include <array>
#include <cstdint>
#include <vector>

#include "model/onnx/detect/levels.h"

namespace tessera::onnx {

/// Box channels are spread over [-2, 2], but 0 in a level's first cell, where anchors then appear as they are.
/// One class of every row is hot: the hot logits are all different and rise in even steps from -3 to 3, so that no
/// order depends on rounding; the others lie in [-8, -6].
std::vector<Tensor> probe_heads(const Levels& levels, const Hypothesis& hypothesis);

/// A place that may give a box: rows stand in the order level (stride ascending), slot, line, column.
struct Row {
  std::size_t level = 0;
  int slot = 0;
  std::int64_t y = 0, x = 0;
};

/// Raw numbers of all rows and their boxes by the formula. Combined heads: sizes are factors of an anchor.
struct Prediction {
  std::vector<Row> rows;
  std::vector<std::int64_t> level_rows;      ///< how many rows each level has
  std::vector<std::array<double, 4>> boxes;  ///< cx, cy, w, h in pixels
  std::vector<std::vector<double>> raw_box;
  std::vector<double> objectness;          ///< logits; empty without
  std::vector<std::vector<float>> scores;  ///< logits
};
Prediction predict(const Levels& levels, const Hypothesis& hypothesis, std::span<const Tensor> heads);

double logistic(double logit);

}  // namespace tessera::onnx
