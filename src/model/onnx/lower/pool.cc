#include "model/onnx/lower/operators.h"
#include "model/onnx/lower/window.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

Result<ValueId> image_of(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  return l.image(node, *view);
}

void define_image(Lowering& l, const IrNode& node, ValueId value) {
  l.define_whole(node, value, Kind::real, image_dims(l.extents_of_value(value)), image_order(4));
}

}  // namespace

Status lower_pool(Lowering& l, const IrNode& node) {
  if (node.outputs.size() > 1 && node.outputs[1] != kAbsent) return not_supported(node, "positions of maxima");
  const auto* kernel = node.ints("kernel_shape");
  if (kernel == nullptr || kernel->size() != 2) return not_supported(node, "a kernel that has not two axes");
  const auto image = image_of(l, node);
  if (!image) return image.error();
  const bool ceil = node.int_or("ceil_mode", 0) != 0;
  const auto window = window_of(node, {(*kernel)[0], (*kernel)[1]}, l.extents_of_value(*image), ceil);
  if (!window) return window.error();
  PoolAttrs pool;
  pool.kind = node.op == "MaxPool" ? PoolAttrs::Kind::max : PoolAttrs::Kind::average;
  pool.kh = window->kh, pool.kw = window->kw, pool.sh = window->sh, pool.sw = window->sw;
  pool.dh = window->dh, pool.dw = window->dw, pool.pad = window->pad;
  pool.count_include_pad = pool.kind == PoolAttrs::Kind::average && node.int_or("count_include_pad", 0) != 0;
  if (pool.count_include_pad && ceil) {
    const auto floor = window_of(node, {(*kernel)[0], (*kernel)[1]}, l.extents_of_value(*image), false);
    if (!floor || !(floor->pad == window->pad))
      return not_supported(node, "count_include_pad with a partial last step");
  }
  const auto out = l.add(node, pool, {*image});
  if (!out) return out.error();
  define_image(l, node, *out);
  return {};
}

Status lower_global_average_pool(Lowering& l, const IrNode& node) {
  const auto image = image_of(l, node);
  if (!image) return image.error();
  const auto out = l.add(node, GlobalAveragePoolAttrs{}, {*image});
  if (!out) return out.error();
  define_image(l, node, *out);
  return {};
}

Status lower_global_max_pool(Lowering& l, const IrNode& node) {
  const auto image = image_of(l, node);
  if (!image) return image.error();
  const Extents e = l.extents_of_value(*image);
  ReduceAttrs reduce;
  reduce.kind = ReduceKind::max;
  reduce.out_dims = {e.n, e.c}, reduce.out_strides = {e.h * e.w * e.c, 1};
  reduce.red_dims = {e.h, e.w}, reduce.red_strides = {e.w * e.c, e.c};
  reduce.shape = {e.n, 1, 1, e.c};
  const auto out = l.add(node, reduce, {*image});
  if (!out) return out.error();
  define_image(l, node, *out);
  return {};
}

}  // namespace tessera::onnx
