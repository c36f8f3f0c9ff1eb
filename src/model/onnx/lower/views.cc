// Operators that move no numbers, or only because what they say is no longer a view.

#include <algorithm>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// The view as `dims`; the numbers are put into row-major order first where strides cannot say it.
Result<View> as(Lowering& l, const IrNode& node, const View& view, const Dims& dims) {
  if (const auto direct = reshaped(view, dims)) return *direct;
  const auto straight = l.stored(node, view, natural_order(view.dims.size()));
  if (!straight) return straight;
  const auto out = reshaped(*straight, dims);
  if (!out) return misfit(node, "cannot make ", shown(dims), " of ", shown(view.dims));
  return *out;
}

/// The axes of Squeeze and Unsqueeze: an attribute before opset 13, then an input.
Result<std::optional<std::vector<std::int64_t>>> axes_given(const Lowering& l, const IrNode& node) {
  if (l.opset() >= 13) return l.integers(node, 1);
  const auto* axes = node.ints("axes");
  return axes != nullptr ? std::optional(*axes) : std::nullopt;
}

Result<Dims> target_dims(const Lowering& l, const IrNode& node, const Dims& from) {
  if (node.op == "Flatten") return flattened(node, from);
  if (node.op == "Reshape") {
    const auto target = l.integers(node, 1);
    if (!target) return target.error();
    if (!*target) return misfit(node, "the shape is missing");
    return reshaped(node, from, **target);
  }
  const auto axes = axes_given(l, node);
  if (!axes) return axes.error();
  if (node.op == "Squeeze") {
    return squeezed(node, from, *axes ? std::optional<std::span<const std::int64_t>>(**axes) : std::nullopt);
  }
  if (!*axes) return misfit(node, "axes are missing");
  return unsqueezed(node, from, **axes);
}

struct SliceWords {
  std::vector<std::int64_t> starts, ends;
  std::optional<std::vector<std::int64_t>> axes, steps;
};

/// Attributes before opset 10, then inputs.
Result<SliceWords> slice_words(const Lowering& l, const IrNode& node) {
  SliceWords out;
  if (l.opset() < 10) {
    if (node.ints("starts") == nullptr || node.ints("ends") == nullptr)
      return misfit(node, "starts or ends are missing");
    out.starts = *node.ints("starts"), out.ends = *node.ints("ends");
    if (node.ints("axes") != nullptr) out.axes = *node.ints("axes");
    return out;
  }
  const auto starts = l.integers(node, 1), ends = l.integers(node, 2), axes = l.integers(node, 3),
             steps = l.integers(node, 4);
  for (const auto* part : {&starts, &ends, &axes, &steps}) {
    if (!*part) return part->error();
  }
  if (!*starts || !*ends) return misfit(node, "starts or ends are missing");
  out = {**starts, **ends, *axes, *steps};
  return out;
}

std::optional<std::span<const std::int64_t>> span_of(const std::optional<std::vector<std::int64_t>>& numbers) {
  if (!numbers) return std::nullopt;
  return std::span<const std::int64_t>(*numbers);
}

Result<std::int64_t> block_size(const IrNode& node) {
  const std::int64_t block = node.int_or("blocksize", 0);
  if (block >= 1 && block <= 1024) return block;
  return misfit(node, "a block size of ", block, ", want 1 to 1024");
}

}  // namespace

/// Dropout only: a training_mode that is true, or that nobody knows.
bool may_train(const Lowering& l, const IrNode& node) {
  if (node.input(2) == kAbsent) return false;
  const Tensor* mode = l.constant(node, 2);
  return mode == nullptr || mode->size() != 1 || mode->at(0) != 0;
}

Status lower_identity(Lowering& l, const IrNode& node) {
  if (may_train(l, node)) return not_supported(node, "training_mode");
  for (std::size_t i = 1; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kAbsent) return not_supported(node, "the mask");
  }
  const Operand* operand = l.operand(node.input(0));
  if (operand == nullptr) return misfit(node, "input 0 is missing");
  l.define(node, *operand);
  return {};
}

Status lower_reshape(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto dims = target_dims(l, node, view->dims);
  if (!dims) return dims.error();
  const auto out = as(l, node, *view, *dims);
  if (!out) return out.error();
  l.define(node, *out);
  return {};
}

Status lower_transpose(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto permutation = permutation_of(node, view->dims.size());
  if (!permutation) return permutation.error();
  l.define(node, transposed(*view, *permutation));
  return {};
}

Status lower_slice(Lowering& l, const IrNode& node) {
  auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto words = slice_words(l, node);
  if (!words) return words.error();
  const auto ranges =
      slice_ranges(node, view->dims, {words->starts, words->ends, span_of(words->axes), span_of(words->steps)});
  if (!ranges) return ranges.error();
  for (int axis = 0; axis < view->dims.size(); ++axis) {
    const Range& range = (*ranges)[static_cast<std::size_t>(axis)];
    if (range.count == 0) return not_supported(node, "nothing is left of axis ", axis);
    *view = sliced(*view, axis, range.begin, range.step, range.count);
  }
  l.define(node, *view);
  return {};
}

Status lower_split(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto axis = axis_of(node, node.int_or("axis", 0), view->dims.size());
  if (!axis) return axis.error();
  auto given = l.opset() >= 13 ? l.integers(node, 1) : std::optional<std::vector<std::int64_t>>();
  if (!given) return given.error();
  if (l.opset() < 13 && node.ints("split") != nullptr) given = *node.ints("split");
  const auto sizes = split_sizes(node, view->dims[*axis], span_of(*given), l.opset());
  if (!sizes) return sizes.error();
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    if ((*sizes)[i] == 0) return not_supported(node, "output ", i, " is empty");
    l.define(node, sliced(*view, *axis, begin, 1, (*sizes)[i]), i);
    begin += (*sizes)[i];
  }
  return {};
}

Status lower_expand(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto target = l.integers(node, 1);
  if (!target) return target.error();
  if (!*target) return misfit(node, "the shape is missing");
  const auto wanted = dims_of(node, **target);
  if (!wanted) return wanted.error();
  const auto dims = broadcast(node, view->dims, *wanted);
  if (!dims) return dims.error();
  l.define(node, expanded(*view, *dims));
  return {};
}

// Each repeated axis becomes two, the outer one standing still; then the pairs are joined.
Status lower_tile(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto repeats = l.integers(node, 1);
  if (!repeats) return repeats.error();
  if (!*repeats || (*repeats)->size() != static_cast<std::size_t>(view->dims.size())) {
    return misfit(node, "wants one repeat per axis");
  }
  View pairs{view->base, view->kind, {}, {}, view->offset};
  Dims dims = view->dims;
  for (int axis = 0; axis < view->dims.size(); ++axis) {
    const std::int64_t repeat = (**repeats)[static_cast<std::size_t>(axis)];
    if (repeat < 1 || repeat > kMaxTensor / dims[axis])
      return not_supported(node, "axis ", axis, " repeated ", repeat, " times");
    if (repeat > 1) pairs.dims.push_back(repeat), pairs.strides.push_back(0);
    pairs.dims.push_back(view->dims[axis]), pairs.strides.push_back(view->strides[axis]);
    dims[axis] *= repeat;
  }
  if (!pairs.dims.fits()) return not_supported(node, "so many repeated axes");
  if (const auto fits = elements(node, dims); !fits) return fits.error();
  const auto out = as(l, node, pairs, dims);
  if (!out) return out.error();
  l.define(node, *out);
  return {};
}

Status lower_depth_to_space(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto b = block_size(node);
  if (!b) return b.error();
  const Dims& d = view->dims;
  if (d.size() != 4 || d[1] % (*b * *b) != 0) return misfit(node, "an input of ", shown(d), " with blocks of ", *b);
  const std::int64_t c = d[1] / (*b * *b);
  const bool columns_first = node.string_or("mode", "DCR") == "DCR";
  const Dims parts = columns_first ? Dims{d[0], *b, *b, c, d[2], d[3]} : Dims{d[0], c, *b, *b, d[2], d[3]};
  const auto cut = as(l, node, *view, parts);
  if (!cut) return cut.error();
  const View blocks = transposed(*cut, columns_first ? Order{0, 3, 4, 1, 5, 2} : Order{0, 1, 4, 2, 5, 3});
  const auto placed = l.stored(node, blocks, {0, 2, 3, 4, 5, 1});  // as an image
  if (!placed) return placed.error();
  const auto out = as(l, node, *placed, {d[0], c, d[2] * *b, d[3] * *b});
  if (!out) return out.error();
  l.define(node, *out);
  return {};
}

Status lower_space_to_depth(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto b = block_size(node);
  if (!b) return b.error();
  const Dims& d = view->dims;
  if (d.size() != 4 || d[2] % *b != 0 || d[3] % *b != 0) {
    return misfit(node, "an input of ", shown(d), " with blocks of ", *b);
  }
  const auto cut = as(l, node, *view, {d[0], d[1], d[2] / *b, *b, d[3] / *b, *b});
  if (!cut) return cut.error();
  const auto placed = l.stored(node, transposed(*cut, Order{0, 3, 5, 1, 2, 4}), {0, 4, 5, 1, 2, 3});  // as an image
  if (!placed) return placed.error();
  const auto out = as(l, node, *placed, {d[0], d[1] * *b * *b, d[2] / *b, d[3] / *b});
  if (!out) return out.error();
  l.define(node, *out);
  return {};
}

Status lower_shape(Lowering& l, const IrNode& node) {
  const Operand* operand = l.operand(node.input(0));
  if (operand == nullptr) return misfit(node, "input 0 is missing");
  const Dims& dims = std::visit([](const auto& o) -> const Dims& { return o.dims; }, *operand);
  if (node.op == "Size") {
    l.define(node, integer_tensor({}, {product(dims)}));
    return {};
  }
  const std::int64_t rank = dims.size();
  const auto within = [&](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const std::int64_t begin = within(node.int_or("start", 0)), end = within(node.int_or("end", rank));
  std::vector<std::int64_t> numbers;
  for (std::int64_t axis = begin; axis < end; ++axis) numbers.push_back(dims[static_cast<int>(axis)]);
  const auto count = static_cast<std::int64_t>(numbers.size());
  l.define(node, integer_tensor({count}, std::move(numbers)));
  return {};
}

}  // namespace tessera::onnx
