#include "graph/ops/strided.h"

#include <algorithm>

#include "base/checked.h"

namespace tessera {
namespace {

// The lowest and highest index that the axes reach; nullopt when they do not fit in 64 bits.
struct Range {
  std::int64_t low, high;
};
std::optional<Range> reach(std::initializer_list<StridedAxes> axes, std::int64_t offset) {
  Range range{offset, offset};
  for (const auto& [dims, strides] : axes) {
    for (int i = 0; i < dims.size(); ++i) {
      const auto span = checked_mul(dims[i] - 1, strides[i]);
      const auto low = span ? checked_add(range.low, std::min<std::int64_t>(*span, 0)) : std::nullopt;
      const auto high = span ? checked_add(range.high, std::max<std::int64_t>(*span, 0)) : std::nullopt;
      if (!low || !high) return std::nullopt;
      range = {*low, *high};
    }
  }
  return range;
}

}  // namespace

Result<Extents> stated_shape(const Node& node, const Shape4& shape) {
  std::int64_t product = 1;  // stays below 2^31 * 2^24
  for (std::int64_t extent : shape) {
    if (extent < 1 || extent > kMaxExtent || (product *= extent) > kMaxElements) {
      return op_error(node, "the shape is stated as ", to_string(Extents{shape[0], shape[1], shape[2], shape[3]}),
                      ", want extents between 1 and ", kMaxExtent, " and at most ", kMaxElements, " elements");
    }
  }
  return Extents{shape[0], shape[1], shape[2], shape[3]};
}

Result<Extents> stated_shape_of(const Node& node, const Shape4& shape, const Dims& dims) {
  const auto out = stated_shape(node, shape);
  if (!out) return out;
  const auto count = places(node, "dims", dims);
  if (!count) return count.error();
  if (*count != elements(*out)) {
    return op_error(node, "its dims have ", *count, " places, the stated shape ", to_string(*out), " has ",
                    elements(*out), " elements");
  }
  return out;
}

Result<std::int64_t> places(const Node& node, const char* what, const Dims& dims) {
  if (!dims.fits()) return op_error(node, what, " has more than ", Dims::kMax, " axes");
  std::int64_t product = 1;
  for (std::int64_t extent : dims) {
    if (extent < 1 || extent > kMaxElements || (product *= extent) > kMaxElements) {  // stays below 2^62
      return op_error(node, what, " has an extent of ", extent, ", want at least 1 and at most ", kMaxElements,
                      " places in all");
    }
  }
  return product;
}

Status check_addresses(const Node& node, const char* what, std::initializer_list<StridedAxes> axes, std::int64_t offset,
                       std::int64_t count) {
  for (const auto& [dims, strides] : axes) {
    if (strides.count != dims.count) {
      return op_error(node, what, " has ", strides.count, " strides for ", dims.count, " axes");
    }
  }
  const auto range = reach(axes, offset);
  if (range && range->low >= 0 && range->high < count) return {};
  return op_error(node, what, " would be read from element ", range ? std::to_string(range->low) : "(overflow)", " to ",
                  range ? std::to_string(range->high) : "(overflow)", ", it has ", count, " elements");
}

}  // namespace tessera
