// [convolutional] and [batchnorm]: the layers with numbers in the weights file.

#include "base/checked.h"
#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

constexpr Key kConvolutionalKeys[] = {
    {"activation"},
    {"angle", training},
    {"antialiasing", only, "0"},
    {"assisted_excitation", training},
    {"batch_normalize"},
    {"bin_output", only, "0"},
    {"binary", only, "0"},
    {"cbn", training},  // cross-iteration batch norm differs while training only
    {"coordconv", only, "0"},
    {"dilation"},
    {"dot", training},
    {"filters"},
    {"flipped", only, "0"},
    {"grad_centr", training},
    {"groups"},
    {"pad"},
    {"padding"},
    {"reverse", only, "0"},
    {"rotate", only, "0"},
    {"share_index", only, ""},
    {"size"},
    {"stretch", only, "0"},
    {"stretch_sway", only, "0"},
    {"stride"},
    {"stride_x"},
    {"stride_y"},
    {"sway", only, "0"},
    {"xnor", only, "0"},
};

/// pad is a flag that stands for size / 2; padding is a number. Darknet ignores padding when pad is set.
Result<int> read_padding(SectionReader& keys, int size) {
  const int pad = keys.integer("pad", 0, kPaddingRange), padding = keys.integer("padding", 0, kPaddingRange);
  TESSERA_TRY(keys.status());
  if (pad > 1 && pad != size / 2) {
    return keys.fail(Code::invalid_argument, "pad",
                     text("pad=", pad, " would be taken as the flag for size/2 = ", size / 2, "; write padding=", pad));
  }
  if (pad != 0 && keys.has("padding") && padding != size / 2) {
    return keys.fail(
        Code::invalid_argument, "padding",
        text("padding=", padding, " contradicts pad=", pad, ", which means size/2 = ", size / 2, "; keep one"));
  }
  return pad != 0 ? size / 2 : padding;
}

/// Strides from stride, stride_x and stride_y; giving both a common and a different own one is a contradiction.
Status read_strides(SectionReader& keys, ConvAttrs& conv) {
  const int stride = keys.integer("stride", 1, kStrideRange);
  conv.sw = keys.integer("stride_x", stride, kStrideRange);
  conv.sh = keys.integer("stride_y", stride, kStrideRange);
  return keys.status();
}

Result<ConvAttrs> read_conv(LayerContext& layer) {
  SectionReader& keys = layer.keys;
  ConvAttrs conv;
  conv.oc = keys.integer("filters", 1, kChannelRange);
  conv.kh = conv.kw = keys.integer("size", 1, kKernelRange);
  conv.groups = keys.integer("groups", 1, kChannelRange);
  // Darknet takes dilation for 1x1 kernels as 1.
  conv.dh = conv.dw = conv.kh == 1 ? 1 : keys.integer("dilation", 1, kKernelRange);
  TESSERA_TRY(read_strides(keys, conv));
  const auto padding = read_padding(keys, conv.kh);
  if (!padding) return padding.error();
  const int pad = *padding * conv.dh;  // Darknet scales the padding with the dilation
  conv.pad = {pad, pad, pad, pad};
  return conv;
}

Status check_groups(const LayerContext& layer, const ConvAttrs& conv, std::int64_t ic) {
  if (ic % conv.groups == 0 && conv.oc % conv.groups == 0) return {};
  return layer.keys.fail(
      Code::invalid_argument, "groups",
      text("groups=", conv.groups, " must divide both the ", ic, " input channels and filters=", conv.oc));
}

ValueId add_batch_norm(LayerContext& layer, ValueId input, std::string name, ParameterSlot& slot) {
  const ValueId value = layer.out.graph.add(std::move(name), BatchNormAttrs{}, {input});
  slot.batch_norm = layer.out.graph.value(value).producer;
  return value;
}

Result<ParameterSlot> make_slot(const LayerContext& layer, const ConvAttrs& conv, std::int64_t ic) {
  const auto weights = checked_mul(conv.oc, ic, conv.kh, conv.kw);
  if (weights && *weights <= kMaxWeightBytes / 4) {
    return ParameterSlot{.section = &layer.keys.section(), .oc = conv.oc, .weights = *weights};
  }
  return layer.keys.fail(Code::limit_exceeded, text("wants ", conv.oc, " kernels of ", ic, "x", conv.kh, "x", conv.kw,
                                                    " weights, more than ", kMaxWeightBytes, " bytes"));
}

Status build_convolutional(LayerContext& layer) {
  const auto src = layer.previous();
  if (!src) return src.error();
  auto conv = read_conv(layer);
  if (!conv) return conv.error();
  const auto act = layer.activation("logistic");  // Darknet's default
  if (!act) return act.error();
  const bool batch_normalize = layer.keys.flag("batch_normalize", false);
  TESSERA_TRY(layer.keys.status());
  TESSERA_TRY(check_groups(layer, *conv, src->c));

  auto slot = make_slot(layer, *conv, src->c / conv->groups);
  if (!slot) return slot.error();
  const std::int64_t kh = std::int64_t{conv->kh - 1} * conv->dh + 1, kw = std::int64_t{conv->kw - 1} * conv->dw + 1;
  Layer dst{.h = out_extent(src->h + 2 * conv->pad.top, kh, conv->sh),
            .w = out_extent(src->w + 2 * conv->pad.left, kw, conv->sw),
            .c = conv->oc};
  dst.value = layer.out.graph.add(layer.name("conv"), std::move(*conv), {src->value});
  slot->conv = layer.out.graph.value(dst.value).producer;
  if (batch_normalize) dst.value = add_batch_norm(layer, dst.value, layer.name("conv", "bn"), *slot);
  dst.value = layer.activate(dst.value, *act, "conv");
  layer.out.slots.push_back(*slot);
  return layer.finish(dst);
}

Status build_batchnorm(LayerContext& layer) {
  auto dst = layer.previous();
  if (!dst) return dst.error();
  ParameterSlot slot{.section = &layer.keys.section(), .oc = dst->c};
  dst->value = add_batch_norm(layer, dst->value, layer.name("bn"), slot);
  layer.out.slots.push_back(slot);
  return layer.finish(*dst);
}

}  // namespace

constexpr LayerKind kConvolutional{"convolutional", kConvolutionalKeys, build_convolutional};
constexpr LayerKind kBatchnorm{"batchnorm", {}, build_batchnorm};

}  // namespace tessera::darknet
