#include "model/onnx/detect/tables.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/text.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

std::vector<std::int64_t> without_ones(const Dims& dims) {
  std::vector<std::int64_t> out;
  for (const std::int64_t extent : dims) {
    if (extent != 1) out.push_back(extent);
  }
  return out;
}

Table table(const Tensor& tensor, std::int64_t rows, bool rows_first) {
  Table out{rows, tensor.size() / rows, std::vector<float>(static_cast<std::size_t>(tensor.size())),
            rows_first ? "rows x columns" : "columns x rows"};
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < out.columns; ++column) {
      const std::int64_t from = rows_first ? row * out.columns + column : column * rows + row;
      out.numbers[static_cast<std::size_t>(row * out.columns + column)] = static_cast<float>(tensor.at(from));
    }
  }
  return out;
}

/// The tensor with this many rows; rows first, columns first, or neither.
std::optional<Table> table_of(const Tensor& tensor, std::int64_t rows, bool rows_first) {
  if (rows < 1 || tensor.size() == 0 || tensor.size() % rows != 0) return std::nullopt;
  const std::int64_t columns = tensor.size() / rows;
  const auto extents = without_ones(tensor.dims);
  // One column or one row: both readings are the same.
  if (columns == 1 || rows == 1) return rows_first ? std::optional(table(tensor, rows, true)) : std::nullopt;
  if (extents.size() < 2 || (rows_first ? extents.back() : extents.front()) != columns) return std::nullopt;
  return table(tensor, rows, rows_first);
}

/// Columns of tables with as many rows, in the given order.
Table side_by_side(std::span<const Table> parts) {
  Table out{.rows = parts.front().rows, .columns = 0, .numbers = {}, .layout = parts.front().layout};
  for (const Table& part : parts) out.columns += part.columns;
  for (std::int64_t row = 0; row < out.rows; ++row) {
    for (const Table& part : parts) {
      const auto first = part.numbers.begin() + row * part.columns;
      out.numbers.insert(out.numbers.end(), first, first + part.columns);
    }
  }
  return out;
}

/// The tensors that have this many rows, side by side.
std::optional<Table> joined(std::span<const Tensor> outputs, std::int64_t rows, bool rows_first, bool backwards) {
  std::vector<Table> parts;
  for (const Tensor& output : outputs) {
    auto part = table_of(output, rows, rows_first);
    if (!part) part = table_of(output, rows, true);  // a column of its own has no direction
    if (part) parts.push_back(std::move(*part));
  }
  if (parts.empty()) return std::nullopt;
  if (backwards) std::ranges::reverse(parts);
  return side_by_side(parts);
}

/// Outputs of level `level` of `levels`: one level after the other, or all boxes and then all scores.
std::vector<Tensor> of_level(std::span<const Tensor> outputs, std::size_t level, std::size_t levels, bool interleaved) {
  const std::size_t parts = outputs.size() / levels;
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < parts; ++i) out.push_back(outputs[interleaved ? i * levels + level : level * parts + i]);
  return out;
}

struct Grouping {
  bool interleaved = false, descending = false, backwards = false;
};

std::optional<Table> by_level(std::span<const Tensor> outputs, std::span<const std::int64_t> level_rows,
                              bool rows_first, const Grouping& grouping) {
  const std::size_t levels = level_rows.size();
  if (outputs.size() % levels != 0) return std::nullopt;
  Table out{.rows = 0, .columns = 0, .numbers = {}, .layout = "a tensor per level"};
  for (std::size_t l = 0; l < levels; ++l) {
    const std::size_t at = grouping.descending ? levels - 1 - l : l;
    const auto tensors = of_level(outputs, at, levels, grouping.interleaved);
    const auto level = joined(tensors, level_rows[l], rows_first, grouping.backwards);
    if (!level || (out.rows > 0 && level->columns != out.columns)) return std::nullopt;
    out.rows += level_rows[l];
    out.columns = level->columns;
    out.numbers.insert(out.numbers.end(), level->numbers.begin(), level->numbers.end());
  }
  return out;
}

}  // namespace

std::vector<Table> tables_of(std::span<const Tensor> outputs, std::span<const std::int64_t> level_rows) {
  const std::int64_t rows = std::accumulate(level_rows.begin(), level_rows.end(), std::int64_t{0});
  std::vector<Table> out;
  const auto keep = [&](std::optional<Table> found) {
    if (found) out.push_back(std::move(*found));
  };
  for (const bool rows_first : {true, false}) {
    for (const Tensor& output : outputs) keep(table_of(output, rows, rows_first));
  }
  if (outputs.size() == 1) return out;
  for (const bool rows_first : {true, false}) {
    for (const bool backwards : {false, true}) {
      keep(joined(outputs, rows, rows_first, backwards));
      for (const bool interleaved : {false, true}) {
        keep(by_level(outputs, level_rows, rows_first, {interleaved, false, backwards}));
        keep(by_level(outputs, level_rows, rows_first, {interleaved, true, backwards}));
      }
    }
  }
  return out;
}

std::vector<Table> lists_of(std::span<const Tensor> outputs, std::int64_t rows) {
  std::vector<Table> out;
  for (const Tensor& output : outputs) {
    if (output.size() % 6 != 0) continue;
    auto list = table_of(output, output.size() / 6, true);
    if (list && list->rows <= rows) out.push_back(std::move(*list));
  }
  return out;
}

std::string extents_text(std::span<const Tensor> outputs) {
  std::string out;
  for (const Tensor& output : outputs) append_text(out, text(out.empty() ? "" : " and ", shown(output.dims)));
  return out;
}

}  // namespace tessera::onnx
