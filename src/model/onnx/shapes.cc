#include "model/onnx/shapes.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {

std::string called(const IrNode& node) { return text(node.op, " ", quoted(node.name)); }

std::string shown(std::span<const std::int64_t> numbers) {
  std::string out = "[";
  for (const std::int64_t number : numbers) out += text(out.size() > 1 ? ", " : "", number);
  return out + "]";
}

Result<std::int64_t> elements(const IrNode& node, const Dims& dims, std::int64_t limit) {
  if (!dims.fits()) return not_supported(node, "a tensor of more than ", int{Dims::kMax}, " axes");
  std::int64_t strided = 1;
  for (const std::int64_t extent : dims) {
    if (extent < 0) return misfit(node, "negative extent in ", shown(dims));
    const auto next = checked_mul(strided, std::max<std::int64_t>(extent, 1));
    if (!next || *next > limit) {
      return Error{Code::limit_exceeded, text(called(node), ": extents ", shown(dims), " are more than ", limit)};
    }
    strided = *next;
  }
  return product(dims);
}

std::int64_t product(const Dims& dims, int first, int last) {
  std::int64_t all = 1;
  for (int axis = first; axis < last; ++axis) all *= dims[axis];
  return all;
}

Result<Dims> dims_of(const IrNode& node, std::span<const std::int64_t> numbers) {
  Dims dims;
  for (const std::int64_t number : numbers) dims.push_back(number);
  if (!dims.fits()) return not_supported(node, "a tensor of more than ", int{Dims::kMax}, " axes");
  return dims;
}

Result<int> axis_of(const IrNode& node, std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return misfit(node, "axis ", axis, " of a tensor of ", rank, " axes");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Result<std::vector<int>> axes_of(const IrNode& node, std::span<const std::int64_t> axes, int rank) {
  std::vector<int> found;
  for (const std::int64_t number : axes) {
    const auto axis = axis_of(node, number, rank);
    if (!axis) return axis.error();
    if (std::ranges::find(found, *axis) != found.end()) return misfit(node, "axis ", number, " twice");
    found.push_back(*axis);
  }
  return found;
}

Result<Dims> broadcast(const IrNode& node, const Dims& a, const Dims& b) {
  const Dims& longer = a.count >= b.count ? a : b;
  const Dims& shorter = a.count >= b.count ? b : a;
  Dims out = longer;
  for (int i = 1; i <= shorter.count; ++i) {
    const std::int64_t one = longer[longer.count - i], other = shorter[shorter.count - i];
    if (one != other && one != 1 && other != 1) return misfit(node, "shapes ", shown(a), " and ", shown(b), " differ");
    out[out.count - i] = one == 1 ? other : one;
  }
  if (const auto fits = elements(node, out); !fits) return fits.error();
  return out;
}

Result<Dims> reshaped(const IrNode& node, const Dims& from, std::span<const std::int64_t> target) {
  auto dims = dims_of(node, target);
  if (!dims) return dims;
  const bool zero_copies = node.int_or("allowzero", 0) == 0;
  int open = -1;
  for (int i = 0; i < dims->count; ++i) {
    std::int64_t& extent = (*dims)[i];
    if (extent == 0 && zero_copies) {
      if (i >= from.count) return misfit(node, shown(target), " copies an axis that ", shown(from), " has not");
      extent = from[i];
    } else if (extent == -1) {
      if (open >= 0) return misfit(node, shown(target), " leaves two axes open");
      open = i;
      extent = 1;
    }
  }
  const auto known = elements(node, *dims);
  if (!known) return known.error();
  const std::int64_t all = product(from);
  if (open >= 0 && *known > 0 && all % *known == 0) (*dims)[open] = all / *known;
  if (product(*dims) != all || (open >= 0 && *known == 0)) {
    return misfit(node, "no way from ", shown(from), " to ", shown(target));
  }
  return dims;
}

Result<Dims> flattened(const IrNode& node, const Dims& from) {
  const std::int64_t axis = node.int_or("axis", 1);
  if (axis < -from.count || axis > from.count) return misfit(node, "axis ", axis, " of ", shown(from));
  const int cut = static_cast<int>(axis < 0 ? axis + from.count : axis);
  return Dims{product(from, 0, cut), product(from, cut, from.count)};
}

Result<Dims> squeezed(const IrNode& node, const Dims& from, std::optional<std::span<const std::int64_t>> axes) {
  auto dropped = axes_of(node, axes.value_or(std::span<const std::int64_t>()), from.count);
  if (!dropped) return dropped.error();
  Dims out;
  for (int i = 0; i < from.count; ++i) {
    const bool drop = axes ? std::ranges::find(*dropped, i) != dropped->end() : from[i] == 1;
    if (drop && from[i] != 1) return misfit(node, "axis ", i, " of ", shown(from), " is not 1");
    if (!drop) out.push_back(from[i]);
  }
  return out;
}

Result<Dims> unsqueezed(const IrNode& node, const Dims& from, std::span<const std::int64_t> axes) {
  if (axes.size() > static_cast<std::size_t>(Dims::kMax - from.count)) {
    return not_supported(node, "a tensor of more than ", int{Dims::kMax}, " axes");
  }
  const int rank = from.count + static_cast<int>(axes.size());
  const auto added = axes_of(node, axes, rank);
  if (!added) return added.error();
  Dims out;
  for (int i = 0, next = 0; i < rank; ++i) {
    out.push_back(std::ranges::find(*added, i) != added->end() ? 1 : from[next++]);
  }
  return out;
}

Result<std::vector<int>> permutation_of(const IrNode& node, int rank) {
  const std::vector<std::int64_t>* perm = node.ints("perm");
  if (perm == nullptr) {
    std::vector<int> reversed(static_cast<std::size_t>(rank));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return reversed;
  }
  if (perm->size() != static_cast<std::size_t>(rank)) {
    return misfit(node, "perm ", shown(*perm), " of a tensor of ", rank, " axes");
  }
  return axes_of(node, *perm, rank);
}

}  // namespace tessera::onnx
