// [activation], [softmax], and the layers that do nothing at inference: [cost], [dropout], [empty].

#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

constexpr Key kActivationKeys[] = {{"activation"}};
constexpr Key kCostKeys[] = {
    {"ratio", training}, {"scale", training}, {"smooth", training}, {"thresh", training}, {"type", training}};
constexpr Key kDropoutKeys[] = {{"dropblock", training},
                                {"dropblock_size_abs", training},
                                {"dropblock_size_rel", training},
                                {"probability", training}};
constexpr Key kSoftmaxKeys[] = {{"groups", only, "1"}, {"noloss", training}, {"spatial"}, {"temperature", only, "1"}};

Status build_activation(LayerContext& layer) {
  auto dst = layer.previous();
  if (!dst) return dst.error();
  const auto act = layer.activation("linear");
  if (!act) return act.error();
  if (act->kind != Activation::linear) {
    dst->value = layer.out.graph.add(layer.name(to_string(act->kind)), ActivationAttrs{*act}, {dst->value});
  }
  return layer.finish(*dst);
}

Status build_nothing(LayerContext& layer) {
  const auto dst = layer.previous();
  if (!dst) return dst.error();
  return layer.finish(*dst);
}

/// Over channels. Darknet's default runs over all numbers of the layer, the same thing on a 1x1 grid only.
Status build_softmax(LayerContext& layer) {
  auto dst = layer.previous();
  if (!dst) return dst.error();
  const bool spatial = layer.keys.flag("spatial", false);
  TESSERA_TRY(layer.keys.status());
  if (!spatial && (dst->h != 1 || dst->w != 1)) {
    return layer.keys.fail(Code::unsupported, text("softmax over a whole ", dst->h, "x", dst->w,
                                                   " grid; only 1x1, or spatial=1, is supported"));
  }
  dst->value = layer.out.graph.add(layer.name("softmax"), SoftmaxAttrs{}, {dst->value});
  return layer.finish(*dst);
}

}  // namespace

constexpr LayerKind kActivationLayer{"activation", kActivationKeys, build_activation};
constexpr LayerKind kCost{"cost", kCostKeys, build_nothing};
constexpr LayerKind kDropout{"dropout", kDropoutKeys, build_nothing};
constexpr LayerKind kEmpty{"empty", {}, build_nothing};
constexpr LayerKind kSoftmax{"softmax", kSoftmaxKeys, build_softmax};

}  // namespace tessera::darknet
