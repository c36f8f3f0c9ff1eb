// [shortcut], [scale_channels] and [sam]: element-wise sums and products with earlier layers.

#include <algorithm>

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

struct Sum {
  Layer layer;
  int nodes = 0;  ///< so far, for their names
};

/// sum + src where channels differ: Darknet adds the channels that both have, the sum keeps its own number of them.
void add_common_channels(LayerContext& layer, const Layer& src, ActivationSpec act, Sum& sum) {
  Graph& graph = layer.out.graph;
  const auto name = [&](std::string_view op) {
    return sum.nodes++ == 0 ? layer.name(op) : layer.name(op, text(sum.nodes - 1));
  };
  const std::int64_t common = std::min(src.c, sum.layer.c), rest = sum.layer.c - common;
  const auto first = [&](const Layer& of) {
    return of.c == common ? of.value : graph.add(name("slice"), SliceAttrs{0, common}, {of.value});
  };
  const ValueId a = first(sum.layer), b = first(src);
  ValueId value = graph.add(name("add"), AddAttrs{rest == 0 ? act : ActivationSpec{}}, {a, b});
  if (rest != 0) {
    const ValueId untouched = graph.add(name("slice"), SliceAttrs{common, rest}, {sum.layer.value});
    value = graph.add(name("concat"), ConcatAttrs{}, {value, untouched});
    if (act.kind != Activation::linear) value = graph.add(name(to_string(act.kind)), ActivationAttrs{act}, {value});
  }
  sum.layer.value = value;
}

/// All sources of a shortcut; an error unless they stand on the same grid.
Result<std::vector<Layer>> read_sources(LayerContext& layer, const Layer& dst) {
  layer.keys.require("from", "name the layer to add, as in from=-3");
  std::vector<Layer> sources;
  for (int reference : layer.keys.integers("from", {-1'000'000, 1'000'000})) {
    const auto src = layer.layer("from", reference);
    if (!src) return src.error();
    if (src->h != dst.h || src->w != dst.w) {
      return layer.keys.fail(Code::unsupported, "from",
                             text("adds layer ", reference, " of ", shape(*src), " to ", shape(dst),
                                  "; only equal heights and widths are supported"));
    }
    sources.push_back(*src);
  }
  TESSERA_TRY(layer.keys.status());
  return sources;
}

Status build_shortcut(LayerContext& layer) {
  const auto dst = layer.previous();
  if (!dst) return dst.error();
  const auto sources = read_sources(layer, *dst);
  if (!sources) return sources.error();
  const auto act = layer.activation("linear");
  if (!act) return act.error();
  Sum sum{*dst};
  if (std::ranges::all_of(*sources, [&](const Layer& src) { return same_shape(src, *dst); })) {
    std::vector<ValueId> values{dst->value};
    for (const Layer& src : *sources) values.push_back(src.value);
    sum.layer.value = layer.out.graph.add(layer.name("add"), AddAttrs{*act}, std::move(values));
  } else {
    for (std::size_t i = 0; i < sources->size(); ++i) {
      add_common_channels(layer, (*sources)[i], i + 1 == sources->size() ? *act : ActivationSpec{}, sum);
    }
  }
  return layer.finish(sum.layer);
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
