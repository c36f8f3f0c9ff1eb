// [shortcut], [scale_channels] and [sam]: element-wise sums and products with earlier layers.

#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

constexpr Key kShortcutKeys[] = {
    {"activation"},
    {"alpha", only, "1"},
    {"beta", only, "1"},
    {"from"},
    {"weights_normalization", training},
    {"weights_normalizion", training},  // as Darknet spells it
    {"weights_type", only, "none"},
};
constexpr Key kScaleChannelsKeys[] = {{"activation"}, {"from"}, {"scale_wh"}};
constexpr Key kSamKeys[] = {{"activation"}, {"from"}};

std::string shape(const Layer& layer) { return text(layer.h, "x", layer.w, "x", layer.c); }

bool same_shape(const Layer& a, const Layer& b) { return a.h == b.h && a.w == b.w && a.c == b.c; }

Status build_shortcut(LayerContext& layer) {
  layer.keys.require("from", "name the layer to add, as in from=-3");
  const auto references = layer.keys.integers("from", {-1'000'000, 1'000'000});
  TESSERA_TRY(layer.keys.status());
  const auto act = layer.activation("linear");
  if (!act) return act.error();
  auto dst = layer.previous();
  if (!dst) return dst.error();
  std::vector<ValueId> values{dst->value};
  for (int reference : references) {
    const auto src = layer.layer("from", reference);
    if (!src) return src.error();
    if (!same_shape(*src, *dst)) {
      return layer.keys.fail(Code::unsupported, "from",
                             text("adds layer ", reference, " of ", shape(*src), " to ", shape(*dst),
                                  "; only equal shapes are supported"));
    }
    values.push_back(src->value);
  }
  dst->value = layer.out.graph.add(layer.name("add"), AddAttrs{*act}, std::move(values));
  return layer.finish(*dst);
}

/// The one layer that 'from' names.
Result<Layer> read_from(LayerContext& layer) {
  layer.keys.require("from", "name the layer to multiply with, as in from=-4");
  const int reference = layer.keys.integer("from", 0, {-1'000'000, 1'000'000});
  TESSERA_TRY(layer.keys.status());
  return layer.layer("from", reference);
}

Status multiply(LayerContext& layer, const Layer& features, const Layer& factor, bool fits, std::string_view wish) {
  if (!fits) {
    return layer.keys.fail(Code::invalid_argument, "from",
                           text("multiplies ", shape(features), " with ", shape(factor), "; want ", wish));
  }
  const auto act = layer.activation("linear");
  if (!act) return act.error();
  Layer dst = features;
  dst.value = layer.out.graph.add(layer.name("mul"), MulAttrs{*act}, {features.value, factor.value});
  return layer.finish(dst);
}

/// Squeeze and excitation: the layer before holds one factor per channel (or per place, with scale_wh) of 'from'.
Status build_scale_channels(LayerContext& layer) {
  const auto factor = layer.previous();
  if (!factor) return factor.error();
  const auto features = read_from(layer);
  if (!features) return features.error();
  const bool per_place = layer.keys.flag("scale_wh", false);
  TESSERA_TRY(layer.keys.status());
  const bool fits = per_place ? factor->h == features->h && factor->w == features->w && factor->c == 1
                              : factor->h == 1 && factor->w == 1 && factor->c == features->c;
  return multiply(layer, *features, *factor, fits,
                  per_place ? "one factor per place (scale_wh=1)" : "one factor per channel, as after [avgpool]");
}

Status build_sam(LayerContext& layer) {
  const auto factor = layer.previous();
  if (!factor) return factor.error();
  const auto features = read_from(layer);
  if (!features) return features.error();
  return multiply(layer, *features, *factor, same_shape(*features, *factor), "equal shapes");
}

}  // namespace

constexpr LayerKind kShortcut{"shortcut", kShortcutKeys, build_shortcut};
constexpr LayerKind kScaleChannels{"scale_channels", kScaleChannelsKeys, build_scale_channels};
constexpr LayerKind kSam{"sam", kSamKeys, build_sam};

}  // namespace tessera::darknet
