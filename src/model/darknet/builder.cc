#include "model/darknet/builder.h"

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::darknet {
namespace {

struct ActivationWord {
  std::string_view name;
  Activation kind;
};
constexpr ActivationWord kActivations[] = {
    {"hard_mish", Activation::hard_mish},
    {"hard_swish", Activation::hard_swish},
    {"hardswish", Activation::hard_swish},
    {"leaky", Activation::leaky},
    {"linear", Activation::linear},
    {"logistic", Activation::logistic},
    {"mish", Activation::mish},
    {"relu", Activation::relu},
    {"relu6", Activation::relu6},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"tanh", Activation::tanh},
};

Status build_net(SectionReader& keys, const std::optional<InputSize>& size, Blueprint& out) {
  TESSERA_TRY(check_keys(keys, net_keys()));
  if (!size) {
    keys.require("width", "the network needs an input size");
    keys.require("height", "the network needs an input size");
  }
  Preprocess& pre = out.preprocess;
  pre.width = keys.integer("width", 0, {1, kMaxInputExtent});
  pre.height = keys.integer("height", 0, {1, kMaxInputExtent});
  pre.channels = keys.integer("channels", 3, {1, 1024});
  pre.resize = keys.flag("letter_box", false) ? ResizeMode::letterbox : ResizeMode::stretch;
  TESSERA_TRY(keys.status());
  if (size) pre.height = size->height, pre.width = size->width;
  out.graph.add_input("input", {1, pre.height, pre.width, pre.channels});
  return {};
}

constexpr auto kKindName = [](const LayerKind* kind) { return std::string_view(kind->name); };

Status build_layer(SectionReader& keys, Blueprint& out) {
  const CfgSection& section = keys.section();
  const auto kind = std::ranges::find(layer_kinds(), std::string_view(section.kind), kKindName);
  if (kind == layer_kinds().end()) {
    return keys.fail(Code::unsupported, text("section ", quoted(section.kind), " is not known",
                                             did_you_mean(section.kind, layer_kinds(), kKindName)));
  }
  TESSERA_TRY(check_keys(keys, (*kind)->keys));
  LayerContext context(keys, out);
  TESSERA_TRY((*kind)->build(context));
  return keys.status();
}

}  // namespace

std::string LayerContext::name(std::string_view op, std::string_view part) const {
  return part.empty() ? text(op, "_", index()) : text(op, "_", index(), ".", part);
}

Result<Layer> LayerContext::checked(const Layer& layer, int number, std::string_view key) const {
  if (!layer.head) return layer;
  return keys.fail(Code::unsupported, key,
                   text("reads layer ", number, ", a [yolo]; its boxes cannot be a layer's input"));
}

Result<Layer> LayerContext::previous() const {
  if (index() > 0) return checked(out.layers.back(), index() - 1, {});
  const Preprocess& pre = out.preprocess;
  return Layer{out.graph.inputs.front(), pre.height, pre.width, pre.channels};
}

Result<Layer> LayerContext::layer(std::string_view key, int reference) const {
  const std::int64_t number = reference < 0 ? std::int64_t{index()} + reference : reference;
  if (number >= 0 && number < index())
    return checked(out.layers[static_cast<std::size_t>(number)], static_cast<int>(number), key);
  return keys.fail(Code::invalid_argument, key,
                   text("key '", key, "' points to layer ", number, " (", reference, "); ",
                        index() == 0 ? text("no layer stands before this one")
                                     : text("want one of the layers before, 0 to ", index() - 1)));
}

Result<ActivationSpec> LayerContext::activation(std::string_view fallback) const {
  const std::string_view word = keys.word("activation", fallback);
  if (const auto act = parse_activation(word)) return *act;
  return keys.fail(
      Code::unsupported, "activation",
      text("activation ", quoted(word), " is not supported", did_you_mean(word, kActivations, &ActivationWord::name)));
}

ValueId LayerContext::activate(ValueId value, ActivationSpec act, std::string_view op) {
  if (act.kind == Activation::linear) return value;
  return out.graph.add(name(op, to_string(act.kind)), ActivationAttrs{act}, {value});
}

Status LayerContext::finish(const Layer& layer) {
  const auto shape = text(layer.h, "x", layer.w, "x", layer.c);
  if (layer.h < 1 || layer.w < 1 || layer.c < 1) {
    return keys.fail(Code::invalid_argument,
                     text("the output would be ", shape, "; the input is smaller than the kernel"));
  }
  const auto elements = checked_mul(layer.h, layer.w, layer.c);
  if (!elements || *elements > kMaxTensorElements) {
    return keys.fail(Code::limit_exceeded,
                     text("the output would be ", shape, ", more than ", kMaxTensorElements, " elements"));
  }
  out.layers.push_back(layer);
  return {};
}

std::optional<ActivationSpec> parse_activation(std::string_view word) {
  const auto found = std::ranges::find(kActivations, word, &ActivationWord::name);
  if (found == std::end(kActivations)) return std::nullopt;
  return ActivationSpec{found->kind, 0.1f};  // Darknet's leaky slope is always 0.1
}

Result<Blueprint> build(const Cfg& cfg, const std::optional<InputSize>& size) {
  Blueprint out;
  for (const CfgSection& section : cfg.sections) {
    SectionReader keys(cfg, section);
    TESSERA_TRY(section.index < 0 ? build_net(keys, size, out) : build_layer(keys, out));
  }
  if (out.layers.empty()) return Error{Code::corrupt, text(cfg.name, ": [net] alone, no layer")};
  if (!out.detector) out.graph.outputs = {out.layers.back().value};  // a classifier or a backbone
  return out;
}

}  // namespace tessera::darknet
