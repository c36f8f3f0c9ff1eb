#pragma once
// What the operators that walk linear indices share: shapes that attributes state, proofs that addresses lie inside.

#include <initializer_list>

#include "graph/ops/ops.h"

namespace tessera {

/// Of extents within the limits of ops.h.
inline std::int64_t elements(const Extents& e) { return e.n * e.h * e.w * e.c; }

/// The extents that an attribute states, once they are within the limits.
Result<Extents> stated_shape(const Node& node, const Shape4& shape);

/// The shape, once the places of dims are as many as its elements.
Result<Extents> stated_shape_of(const Node& node, const Shape4& shape, const Dims& dims);

/// Errors unless there are at most Dims::kMax extents, each at least 1. Gives their product, at most kMaxElements.
Result<std::int64_t> places(const Node& node, const char* what, const Dims& dims);

struct StridedAxes {
  const Dims& dims;  ///< checked by places()
  const Dims& strides;
};
/// Errors unless every index from `offset` along the axes lies in [0, count). `what` names the operand.
Status check_addresses(const Node& node, const char* what, std::initializer_list<StridedAxes> axes, std::int64_t offset,
                       std::int64_t count);

}  // namespace tessera
