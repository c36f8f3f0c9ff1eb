#include "model/onnx/lower/view.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// Old axes [begin, end) hold the numbers of new axes [new_begin, new_end).
struct Group {
  int begin, end, new_begin, new_end;
};

/// Cuts both lists of extents into groups of equal products, as short as possible.
std::vector<Group> groups(const Dims& from, const Dims& to) {
  std::vector<Group> out;
  Group group{0, 0, 0, 0};
  std::int64_t a = 1, b = 1;
  while (group.end < from.size() || group.new_end < to.size()) {
    const bool take_old = group.end < from.size() && (a < b || group.new_end == to.size() || group.end == group.begin);
    if (take_old) {
      a *= from[group.end++];
    } else {
      b *= to[group.new_end++];
    }
    if (a != b || group.new_end == group.new_begin) continue;
    out.push_back(group);
    group = {group.end, group.end, group.new_end, group.new_end};
    a = b = 1;
  }
  if (group.end > group.begin || group.new_end > group.new_begin) out.push_back(group);
  return out;
}

/// The stride of the group's axes walked as one, or nullopt when they do not follow one another.
std::optional<std::int64_t> joint_stride(const View& view, const Group& group) {
  std::optional<std::int64_t> stride;
  std::int64_t wanted = 0;
  for (int axis = group.end - 1; axis >= group.begin; --axis) {
    if (view.dims[axis] == 1) continue;
    if (!stride) {
      stride = view.strides[axis];
    } else if (view.strides[axis] != wanted) {
      return std::nullopt;
    }
    wanted = view.strides[axis] * view.dims[axis];
  }
  return stride.value_or(0);
}

bool strides_fall(const View& view, const Order& order) {
  std::optional<std::int64_t> outer;
  for (const int axis : order) {
    if (view.dims[axis] == 1) continue;
    if (outer && std::abs(view.strides[axis]) > *outer) return false;
    outer = std::abs(view.strides[axis]);
  }
  return true;
}

}  // namespace

Order natural_order(int rank) {
  Order order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Order image_order(int rank) {
  Order order = natural_order(rank);
  if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

Order memory_order(const View& view) {
  const int rank = view.dims.size();
  const Order first = rank == 4 ? image_order(rank) : natural_order(rank);
  const Order second = rank == 4 ? natural_order(rank) : image_order(rank);
  for (const Order& usual : {first, second}) {
    if (strides_fall(view, usual)) return usual;
  }
  Order order = natural_order(rank);
  std::ranges::stable_sort(order, std::greater{}, [&](int axis) { return std::abs(view.strides[axis]); });
  return order;
}

View whole(ValueId base, Kind kind, const Dims& dims, const Order& order) {
  View view{base, kind, dims, dims, 0};
  std::int64_t stride = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    view.strides[*axis] = stride;
    stride *= std::max<std::int64_t>(dims[*axis], 1);
  }
  return view;
}

bool is_stored(const View& view, const Order& order, std::int64_t elements) {
  std::int64_t stride = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    if (view.dims[*axis] != 1 && view.strides[*axis] != stride) return false;
    stride *= view.dims[*axis];
  }
  return view.offset == 0 && stride == elements;
}

bool covers(const View& view, std::int64_t elements) { return is_stored(view, memory_order(view), elements); }

View transposed(const View& view, std::span<const int> permutation) {
  View out = view;
  for (int i = 0; i < view.dims.size(); ++i) {
    out.dims[i] = view.dims[permutation[static_cast<std::size_t>(i)]];
    out.strides[i] = view.strides[permutation[static_cast<std::size_t>(i)]];
  }
  return out;
}

std::optional<View> reshaped(const View& view, const Dims& dims) {
  if (product(dims) == 0) return std::nullopt;
  View out{view.base, view.kind, dims, dims, view.offset};
  for (const Group& group : groups(view.dims, dims)) {
    const auto joint = joint_stride(view, group);
    if (!joint) return std::nullopt;
    std::int64_t stride = *joint;
    for (int axis = group.new_end - 1; axis >= group.new_begin; --axis) {
      out.strides[axis] = stride;
      stride *= dims[axis];
    }
  }
  return out;
}

View expanded(const View& view, const Dims& dims) {
  View out{view.base, view.kind, dims, dims, view.offset};
  const int missing = dims.size() - view.dims.size();
  for (int i = 0; i < dims.size(); ++i) {
    const bool repeated = i < missing || (view.dims[i - missing] == 1 && dims[i] != 1);
    out.strides[i] = repeated ? 0 : view.strides[i - missing];
  }
  return out;
}

View sliced(View view, int axis, std::int64_t begin, std::int64_t step, std::int64_t count) {
  view.offset += begin * view.strides[axis];
  view.strides[axis] *= count > 1 ? step : 1;  // a step that is never taken may be anything
  view.dims[axis] = count;
  return view;
}

Dims permuted(const Dims& dims, const Order& order) {
  Dims out;
  for (const int axis : order) out.push_back(dims[axis]);
  return out;
}

Shape4 four_extents(const Dims& dims) {
  Shape4 shape{1, 1, 1, 1};
  for (int i = 0; i < dims.size(); ++i) {
    const int place = std::max(0, i + 4 - dims.size());
    shape[static_cast<std::size_t>(place)] *= dims[i];
  }
  return shape;
}

}  // namespace tessera::onnx
