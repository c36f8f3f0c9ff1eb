// Shapes of operators that cut, join and pad.

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "model/onnx/shapes.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

using Numbers = std::span<const std::int64_t>;

/// The axes that an operator names, or as many as `count` from the first on.
Result<std::vector<int>> named_or_first(const IrNode& node, std::optional<Numbers> axes, std::size_t count, int rank) {
  std::vector<std::int64_t> first;
  if (!axes) {
    first.resize(std::min(count, static_cast<std::size_t>(Dims::kMax) + 1));
    std::iota(first.begin(), first.end(), 0);
    axes = first;
  }
  if (axes->size() != count) return misfit(node, count, " numbers for ", axes->size(), " axes");
  return axes_of(node, *axes, rank);
}

Range range_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
  if (extent == 0) return {};
  if (start < 0) start += extent;
  if (end < 0) end += extent;
  const bool forward = step > 0;
  start = std::clamp<std::int64_t>(start, 0, forward ? extent : extent - 1);
  end = forward ? std::clamp<std::int64_t>(end, 0, extent) : std::clamp<std::int64_t>(end, -1, extent - 1);
  const std::int64_t distance = forward ? end - start : start - end;
  if (distance <= 0) return {};
  // Unsigned, as the magnitude of the smallest step has no place in 64 bits with a sign.
  const auto magnitude = forward ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const auto count = static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / magnitude + 1);
  return {start, count > 1 ? step : 1, count};
}

Result<std::vector<std::int64_t>> equal_parts(const IrNode& node, std::int64_t extent, bool uneven) {
  const auto parts = static_cast<std::int64_t>(node.outputs.size());
  if (parts == 0) return misfit(node, "no outputs");
  if (!uneven && extent % parts != 0) return misfit(node, extent, " does not split into ", parts, " equal parts");
  const std::int64_t each = extent / parts + (extent % parts != 0 ? 1 : 0);
  std::vector<std::int64_t> sizes;
  for (std::int64_t left = extent; std::ssize(sizes) < parts; left -= sizes.back()) {
    sizes.push_back(std::min(each, left));
  }
  return sizes;
}

}  // namespace

Result<std::vector<Range>> slice_ranges(const IrNode& node, const Dims& from, const SliceInputs& inputs) {
  const std::size_t count = inputs.starts.size();
  if (inputs.ends.size() != count || (inputs.steps && inputs.steps->size() != count)) {
    return misfit(node, "starts, ends and steps are not equally many");
  }
  const auto axes = named_or_first(node, inputs.axes, count, from.count);
  if (!axes) return axes.error();
  std::vector<Range> ranges;
  for (const std::int64_t extent : from) ranges.push_back({0, 1, extent});
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t step = inputs.steps ? (*inputs.steps)[i] : 1;
    if (step == 0) return misfit(node, "a step of 0");
    const int axis = (*axes)[i];
    ranges[static_cast<std::size_t>(axis)] = range_of(inputs.starts[i], inputs.ends[i], step, from[axis]);
  }
  return ranges;
}

Result<std::vector<std::int64_t>> split_sizes(const IrNode& node, std::int64_t extent, std::optional<Numbers> sizes,
                                              std::int64_t opset) {
  if (const auto parts = node.int_or("num_outputs", std::ssize(node.outputs)); parts != std::ssize(node.outputs)) {
    return misfit(node, "num_outputs is ", parts, ", outputs are ", node.outputs.size());
  }
  if (!sizes) return equal_parts(node, extent, opset >= 18);
  if (sizes->size() != node.outputs.size()) {
    return misfit(node, sizes->size(), " sizes for ", node.outputs.size(), " outputs");
  }
  std::int64_t left = extent;
  for (const std::int64_t size : *sizes) {
    if (size < 0 || size > left) return misfit(node, shown(*sizes), " do not add up to ", extent);
    left -= size;
  }
  if (left != 0) return misfit(node, shown(*sizes), " do not add up to ", extent);
  return std::vector(sizes->begin(), sizes->end());
}

Result<Pads> pads_of(const IrNode& node, const Dims& from, Numbers pads, std::optional<Numbers> axes) {
  if (pads.size() % 2 != 0) return misfit(node, "pads ", shown(pads), " are not two per axis");
  const std::size_t count = pads.size() / 2;
  if (!axes && count != static_cast<std::size_t>(from.count)) {
    return misfit(node, "pads ", shown(pads), " for ", from.count, " axes");
  }
  const auto where = named_or_first(node, axes, count, from.count);
  if (!where) return where.error();
  Pads out{from, from, from};
  for (int i = 0; i < from.count; ++i) out.begin[i] = out.end[i] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int axis = (*where)[i];
    const std::int64_t before = out.begin[axis] = pads[i], after = out.end[axis] = pads[count + i];
    // Cut-offs stay within the extent, each and together: then no index of the input leaves it.
    const auto grown = checked_add(from[axis], before);
    const auto all = grown ? checked_add(*grown, after) : std::nullopt;
    if (!all || *all < 0 || before < -from[axis] || after < -from[axis]) {
      return misfit(node, "pads ", shown(pads), " do not fit ", shown(from));
    }
    out.dims[axis] = *all;
  }
  if (const auto fits = elements(node, out.dims); !fits) return fits.error();
  return out;
}

Result<Dims> tiled(const IrNode& node, const Dims& from, Numbers repeats) {
  if (repeats.size() != static_cast<std::size_t>(from.count)) {
    return misfit(node, "repeats ", shown(repeats), " for ", from.count, " axes");
  }
  Dims out = from;
  for (int i = 0; i < from.count; ++i) {
    const auto extent = checked_mul(from[i], repeats[static_cast<std::size_t>(i)]);
    if (!extent || *extent < 0) return misfit(node, "repeats ", shown(repeats), " of ", shown(from));
    out[i] = *extent;
  }
  if (const auto fits = elements(node, out); !fits) return fits.error();
  return out;
}

Result<Blocks> blocks_of(const IrNode& node, const Dims& from) {
  const bool gather = node.op == "SpaceToDepth";
  const std::int64_t b = node.int_or("blocksize", 0);
  if (from.count != 4) return misfit(node, shown(from), " has not 4 axes");
  // Below 2^20 its square cannot overflow, and no tensor has more in a row and a column.
  if (b < 1 || b >= (std::int64_t{1} << 20)) return misfit(node, "a blocksize of ", b);
  const std::int64_t n = from[0], c = from[1], h = from[2], w = from[3];
  if (gather ? h % b != 0 || w % b != 0 : c % (b * b) != 0) {
    return misfit(node, shown(from), " does not divide by a blocksize of ", b);
  }
  if (gather) return Blocks{{n, c, h / b, b, w / b, b}, {0, 3, 5, 1, 2, 4}, {n, c * b * b, h / b, w / b}};
  const Dims dims{n, c / (b * b), h * b, w * b};
  const std::string mode = node.string_or("mode", "DCR");
  if (mode == "CRD") return Blocks{{n, c / (b * b), b, b, h, w}, {0, 1, 4, 2, 5, 3}, dims};
  if (mode != "DCR") return not_supported(node, "mode ", quoted(mode));
  return Blocks{{n, b, b, c / (b * b), h, w}, {0, 3, 4, 1, 5, 2}, dims};
}

Result<Dims> concatenated(const IrNode& node, std::span<const Dims> inputs, int axis) {
  if (inputs.empty()) return misfit(node, "no inputs");
  Dims out = inputs.front();
  out[axis] = 0;
  for (const Dims& dims : inputs) {
    Dims rest = dims;
    if (axis < rest.count) rest[axis] = out[axis];
    const auto sum = rest == out ? checked_add(out[axis], dims[axis]) : std::nullopt;
    if (!sum) return misfit(node, "shapes ", shown(inputs.front()), " and ", shown(dims), " differ beside axis ", axis);
    out[axis] = *sum;
  }
  if (const auto fits = elements(node, out); !fits) return fits.error();
  return out;
}

}  // namespace tessera::onnx
