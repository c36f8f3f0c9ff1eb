#pragma once
// How an array in a file lies in a tensor of the engine.

#include <tessera/tensor.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera {

/// The tensor's numbers in linear order (row-major over NHWC) are the array's with its axes walked in `order`,
/// outermost first: [N, C, H, W] stored as an image is 0, 2, 3, 1.
struct AxisOrder {
  std::vector<std::int64_t> extents;  ///< of the array
  std::vector<int> order;
  std::string axes;  ///< what messages call it, "NCHW"; may be empty
};
using AxisOrders = std::map<std::string, AxisOrder>;  ///< by the tensor's name

/// Order of the axes of an array in a file, where the model's format says nothing.
enum class FileLayout { nchw, nhwc };

/// The entry of that name, else the layout for a tensor of shape NHWC.
AxisOrder axis_order_of(const AxisOrders& orders, const std::string& name, const Shape& nhwc, FileLayout layout);

/// "1x3x64x64 (NCHW)".
std::string to_string(const AxisOrder& order);
/// The array's shape (more than Shape::kMaxRank axes: rank() tells so).
Shape file_shape(const AxisOrder& order);
/// Apart from extents of 1 in front.
bool is_shape_of(const AxisOrder& order, const Shape& shape);

/// For each number of the tensor in linear order: where it stands in the array.
class AxisWalk {
 public:
  explicit AxisWalk(const AxisOrder& order);
  std::size_t next() noexcept;

 private:
  struct Axis {
    std::size_t extent, stride, index;
  };
  std::vector<Axis> axes_;  // outermost in memory first
  std::size_t at_ = 0;
};

}  // namespace tessera
