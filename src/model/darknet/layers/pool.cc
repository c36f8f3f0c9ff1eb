// [maxpool], [local_avgpool], [avgpool] and [upsample]: layers that change the grid.

#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

constexpr Key kMaxpoolKeys[] = {
    {"antialiasing", only, "0"},
    {"maxpool_depth", only, "0"},
    {"out_channels", training},
    {"padding"},
    {"size"},
    {"stride"},
    {"stride_x"},
    {"stride_y"},
};

/// One axis of Darknet's pooling: out = (in + padding - size) / stride + 1, the first window begins padding / 2 before
/// the input, and the last one may reach beyond its end by the `after` returned here.
struct PoolAxis {
  std::int64_t out = 0, before = 0, after = 0;
};
PoolAxis pool_axis(std::int64_t in, std::int64_t padding, std::int64_t size, std::int64_t stride) {
  PoolAxis axis{.out = out_extent(in + padding, size, stride), .before = padding / 2};
  const std::int64_t reach = (axis.out - 1) * stride + size - axis.before - in;
  if (reach > 0) axis.after = reach;
  return axis;
}

Status add_pool(LayerContext& layer, PoolAttrs::Kind kind, std::string_view op) {
  const auto src = layer.previous();
  if (!src) return src.error();
  SectionReader& keys = layer.keys;
  PoolAttrs pool{.kind = kind};
  const int stride = keys.integer("stride", 1, kStrideRange);
  pool.sw = keys.integer("stride_x", stride, kStrideRange);
  pool.sh = keys.integer("stride_y", stride, kStrideRange);
  pool.kh = pool.kw = keys.integer("size", stride, kKernelRange);
  const int padding = keys.integer("padding", pool.kh - 1, kPaddingRange);
  TESSERA_TRY(keys.status());

  const PoolAxis y = pool_axis(src->h, padding, pool.kh, pool.sh), x = pool_axis(src->w, padding, pool.kw, pool.sw);
  if (std::max({y.before, y.after, x.before, x.after}) >= pool.kh) {
    return keys.fail(Code::invalid_argument, "padding",
                     text("padding=", padding, " gives windows of size ", pool.kh, " that see nothing but padding"));
  }
  pool.pad = {static_cast<int>(y.before), static_cast<int>(x.before), static_cast<int>(y.after),
              static_cast<int>(x.after)};
  return layer.finish({layer.out.graph.add(layer.name(op), pool, {src->value}), y.out, x.out, src->c});
}

Status build_maxpool(LayerContext& layer) { return add_pool(layer, PoolAttrs::Kind::max, "maxpool"); }
Status build_local_avgpool(LayerContext& layer) { return add_pool(layer, PoolAttrs::Kind::average, "avgpool"); }

Status build_avgpool(LayerContext& layer) {
  const auto src = layer.previous();
  if (!src) return src.error();
  return layer.finish(
      {layer.out.graph.add(layer.name("avgpool"), GlobalAveragePoolAttrs{}, {src->value}), 1, 1, src->c});
}

constexpr Key kUpsampleKeys[] = {{"scale"}, {"stride"}};

Status build_upsample(LayerContext& layer) {
  const auto src = layer.previous();
  if (!src) return src.error();
  UpsampleAttrs up;
  up.factor_h = up.factor_w = layer.keys.integer("stride", 2, kStrideRange);
  up.scale = layer.keys.number("scale", 1.0f, -1e6f, 1e6f);
  TESSERA_TRY(layer.keys.status());
  const ValueId value = layer.out.graph.add(layer.name("upsample"), up, {src->value});
  return layer.finish({value, src->h * up.factor_h, src->w * up.factor_w, src->c});
}

}  // namespace

constexpr LayerKind kMaxpool{"maxpool", kMaxpoolKeys, build_maxpool};
constexpr LayerKind kLocalAvgpool{"local_avgpool", kMaxpoolKeys, build_local_avgpool};
constexpr LayerKind kAvgpool{"avgpool", {}, build_avgpool};
constexpr LayerKind kUpsample{"upsample", kUpsampleKeys, build_upsample};

}  // namespace tessera::darknet
