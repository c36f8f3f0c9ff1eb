#include "model/onnx/evaluate/take.h"

#include <limits>

namespace tessera::onnx {
namespace {

/// Walks the outer axes by recursion, at most Dims::kMax deep, the last one in a loop. Padding on one axis is padding
/// whatever the others say, so that a partial address becomes negative and stays so.
template <class T>
struct Taker {
  std::span<const T> source;
  const std::vector<AxisTable>& tables;
  T padding;
  std::vector<T> out;

  static std::int64_t joined(std::int64_t sum, std::int64_t part) {
    return sum < 0 || part < 0 ? kNowhere : sum + part;
  }

  void run(std::size_t axis, std::int64_t sum) {
    if (axis == tables.size()) {
      out.push_back(sum < 0 ? padding : source[static_cast<std::size_t>(sum)]);
      return;
    }
    for (const std::int64_t part : tables[axis]) run(axis + 1, joined(sum, part));
  }
};

template <class T>
Tensor taken(const Tensor& source, const std::vector<AxisTable>& tables, T padding) {
  Dims dims;
  bool empty = false;
  for (const AxisTable& table : tables) {
    dims.push_back(std::ssize(table));
    empty = empty || table.empty();
  }
  Taker<T> taker{numbers<T>(source), tables, padding, {}};
  if (!empty) taker.run(0, 0);  // else the outer axes would be walked for nothing
  return tensor_of(source.kind, dims, std::move(taker.out));
}

}  // namespace

Dims strides_of(const Dims& dims) {
  Dims strides = dims;
  std::int64_t stride = 1;
  for (int axis = dims.count - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  return strides;
}

AxisTable table_of(const Range& range, std::int64_t stride) {
  AxisTable table;
  for (std::int64_t i = 0; i < range.count; ++i) table.push_back((range.begin + i * range.step) * stride);
  return table;
}

Tensor take(const Tensor& source, const std::vector<AxisTable>& tables, double padding) {
  if (source.is_real()) return taken<float>(source, tables, static_cast<float>(padding));
  return taken<std::int64_t>(source, tables, saturated(padding));
}

}  // namespace tessera::onnx
