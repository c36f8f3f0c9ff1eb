#pragma once
// A tail's outputs read as one table: a row per place, columns of box, objectness and classes.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/onnx/ir.h"

namespace tessera::onnx {

struct Table {
  std::int64_t rows = 0, columns = 0;
  std::vector<float> numbers;  ///< row-major
  std::string layout;          ///< "rows x columns"
  float at(std::int64_t row, std::int64_t column) const {
    return numbers[static_cast<std::size_t>(row * columns + column)];
  }
};

/// Ways to read the tensors as a table with a row for each of `level_rows` (strides ascending): one tensor of all rows,
/// several of all rows side by side, or tensors of one level each. Rows or columns may come first; axes of 1 do not
/// count. With tensors of one level each, the levels stand in the order of level_rows; otherwise as the tail has them.
std::vector<Table> tables_of(std::span<const Tensor> outputs, std::span<const std::int64_t> level_rows);

/// One tensor of at most `rows` rows and 6 columns (corners, score, class): what end-to-end tails give.
std::vector<Table> lists_of(std::span<const Tensor> outputs, std::int64_t rows);

/// "[1, 84, 8400] and [1, 32]".
std::string extents_text(std::span<const Tensor> outputs);

}  // namespace tessera::onnx
