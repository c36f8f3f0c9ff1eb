// [route]: channels of earlier layers beside one another, whole or one of several equal groups of each.

#include "base/checked.h"
#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

constexpr Key kRouteKeys[] = {{"group_id"}, {"groups"}, {"layers"}};

struct Groups {
  int count = 1, id = 0;
};

Result<Groups> read_groups(SectionReader& keys) {
  Groups groups{keys.integer("groups", 1, kChannelRange), keys.integer("group_id", 0, {0, kChannelRange.max})};
  TESSERA_TRY(keys.status());
  if (groups.id < groups.count) return groups;
  return keys.fail(
      Code::invalid_argument, "group_id",
      text("group_id=", groups.id, " is out of range; with groups=", groups.count, " want 0 to ", groups.count - 1));
}

/// The chosen group of one input; the whole input without groups.
Result<Layer> take_group(LayerContext& layer, Layer src, int reference, const Groups& groups, std::size_t position) {
  if (groups.count == 1) return src;
  if (src.c % groups.count != 0) {
    return layer.keys.fail(
        Code::invalid_argument, "groups",
        text("groups=", groups.count, " does not divide the ", src.c, " channels of layer ", reference));
  }
  src.c /= groups.count;
  const auto name = position == 0 ? layer.name("slice") : layer.name("slice", text(position));
  src.value = layer.out.graph.add(name, SliceAttrs{groups.id * src.c, src.c}, {src.value});
  return src;
}

Status build_route(LayerContext& layer) {
  layer.keys.require("layers", "name the layers to read, as in layers=-1,8");
  const auto references = layer.keys.integers("layers", {-1'000'000, 1'000'000});
  TESSERA_TRY(layer.keys.status());
  const auto groups = read_groups(layer.keys);
  if (!groups) return groups.error();

  Layer dst;
  std::vector<ValueId> values;
  for (int reference : references) {
    auto src = layer.layer("layers", reference);
    if (!src) return src.error();
    src = take_group(layer, *src, reference, *groups, values.size());
    if (!src) return src.error();
    if (values.empty()) dst.h = src->h, dst.w = src->w;
    if (src->h != dst.h || src->w != dst.w) {
      return layer.keys.fail(
          Code::invalid_argument, "layers",
          text("layer ", reference, " is ", src->h, "x", src->w, ", the first one ", dst.h, "x", dst.w,
               "; concatenated layers must agree (is the input size a multiple of the strides?)"));
    }
    dst.c += src->c;  // at most 10^3..10^5 inputs of 2^16 channels each
    values.push_back(src->value);
  }
  // A route of one layer is only another name for it.
  dst.value = values.size() == 1 ? values.front() : layer.out.graph.add(layer.name("concat"), ConcatAttrs{}, values);
  return layer.finish(dst);
}

}  // namespace

constexpr LayerKind kRoute{"route", kRouteKeys, build_route};

}  // namespace tessera::darknet
