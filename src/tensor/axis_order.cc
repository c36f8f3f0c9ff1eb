#include "tensor/axis_order.h"

#include <algorithm>

#include "base/text.h"

namespace tessera {

AxisOrder axis_order_of(const AxisOrders& orders, const std::string& name, const Shape& s, FileLayout layout) {
  if (const auto own = orders.find(name); own != orders.end()) return own->second;
  if (layout == FileLayout::nhwc) return {{s[0], s[1], s[2], s[3]}, {0, 1, 2, 3}, "NHWC"};
  return {{s[0], s[3], s[1], s[2]}, {0, 2, 3, 1}, "NCHW"};
}

std::string to_string(const AxisOrder& order) {
  return text(to_string(file_shape(order)), order.axes.empty() ? "" : text(" (", order.axes, ")"));
}

Shape file_shape(const AxisOrder& order) {
  Shape shape;
  for (const std::int64_t extent : order.extents) shape.push_back(extent);
  return shape;
}

bool is_shape_of(const AxisOrder& order, const Shape& shape) {
  const auto skip_ones = [](const std::int64_t* begin, const std::int64_t* end) {
    return std::find_if(begin, end, [](std::int64_t extent) { return extent != 1; });
  };
  const std::int64_t* wanted_end = order.extents.data() + order.extents.size();
  return std::equal(skip_ones(order.extents.data(), wanted_end), wanted_end, skip_ones(shape.begin(), shape.end()),
                    shape.end());
}

AxisWalk::AxisWalk(const AxisOrder& order) {
  std::vector<std::size_t> strides(order.extents.size(), 1);
  for (std::size_t axis = strides.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * static_cast<std::size_t>(order.extents[axis]);
  }
  for (const int axis : order.order) {
    const auto i = static_cast<std::size_t>(axis);
    axes_.push_back({static_cast<std::size_t>(order.extents[i]), strides[i], 0});
  }
}

std::size_t AxisWalk::next() noexcept {
  const std::size_t here = at_;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    at_ += axis->stride;
    if (++axis->index < axis->extent) break;
    at_ -= axis->extent * axis->stride;
    axis->index = 0;
  }
  return here;
}

}  // namespace tessera
