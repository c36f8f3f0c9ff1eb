#include <algorithm>

#include "graph/ops/ops.h"
#include "model/onnx/lower/operators.h"
#include "model/onnx/lower/window.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// Weights that must be known, with as many axes as an image's convolution has.
Result<const Tensor*> weights_of(const Lowering& l, const IrNode& node) {
  const Tensor* weights = l.constant(node, 1);
  if (weights == nullptr) return not_supported(node, "weights that are computed from the picture");
  if (weights->dims.size() != 4) {
    return not_supported(node, weights->dims.size() - 2, " spatial axes: pictures have two");
  }
  if (!weights->is_real() || weights->size() == 0) return misfit(node, "weights of ", shown(weights->dims));
  if (const auto* kernel = node.ints("kernel_shape");
      kernel != nullptr && *kernel != std::vector{weights->dims[2], weights->dims[3]}) {
    return misfit(node, "kernel_shape ", shown(*kernel), " for weights of ", shown(weights->dims));
  }
  return weights;
}

/// One number per output channel, or null when the input is absent.
Result<Constant> bias_of(const Lowering& l, const IrNode& node, std::int64_t channels) {
  if (node.input(2) == kAbsent) return Constant();
  const Tensor* bias = l.constant(node, 2);
  if (bias == nullptr) return not_supported(node, "a bias that is computed from the picture");
  if (!bias->is_real() || bias->size() != channels) {
    return misfit(node, "a bias of ", shown(bias->dims), " for ", channels, " channels");
  }
  return bias->reals;
}

}  // namespace

Status lower_conv(Lowering& l, const IrNode& node) {
  const auto weights = weights_of(l, node);
  if (!weights) return weights.error();
  const Dims& w = (*weights)->dims;
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto image = l.image(node, *view);
  if (!image) return image.error();
  const std::int64_t groups = node.int_or("group", 1);
  if (groups < 1 || groups > w[0]) return misfit(node, groups, " groups for ", w[0], " output channels");
  const auto window = window_of(node, {w[2], w[3]}, l.extents_of_value(*image), false);
  if (!window) return window.error();
  const auto bias = bias_of(l, node, w[0]);
  if (!bias) return bias.error();
  ConvAttrs conv;
  conv.oc = static_cast<int>(std::min<std::int64_t>(w[0], kMaxExtent));
  conv.kh = window->kh, conv.kw = window->kw, conv.sh = window->sh, conv.sw = window->sw;
  conv.dh = window->dh, conv.dw = window->dw, conv.pad = window->pad;
  conv.groups = static_cast<int>(groups);
  conv.weights = (*weights)->reals;
  conv.bias = *bias;
  const auto out = l.add(node, std::move(conv), {*image});
  if (!out) return out.error();
  l.define_whole(node, *out, Kind::real, image_dims(l.extents_of_value(*out)), image_order(4));
  return {};
}

namespace {

Status check_transpose(const IrNode& node, const Tensor& weights) {
  const auto* strides = node.ints("strides");
  const std::vector<std::int64_t> kernel{weights.dims[2], weights.dims[3]};
  const auto all = [&](std::string_view key, std::int64_t wanted) {
    const auto* given = node.ints(key);
    return given == nullptr || std::ranges::all_of(*given, [&](std::int64_t v) { return v == wanted; });
  };
  const bool plain = strides != nullptr && *strides == kernel && node.int_or("group", 1) == 1 && all("pads", 0) &&
                     all("output_padding", 0) && all("dilations", 1) && node.ints("output_shape") == nullptr &&
                     node.string_or("auto_pad", "NOTSET") == "NOTSET";
  if (plain && kernel[0] * kernel[1] <= 64) return {};
  return not_supported(node, "only a stride equal to the kernel (as 2x2, stride 2), one group, no padding");
}

/// [C][M][kh][kw] as the weights of a 1x1 convolution to kh x kw x M channels.
std::vector<float> as_pointwise(const Tensor& weights) {
  const std::int64_t c = weights.dims[0], m = weights.dims[1], taps = weights.dims[2] * weights.dims[3];
  std::vector<float> out(static_cast<std::size_t>(c * m * taps));
  for (std::int64_t in = 0; in < c; ++in) {
    for (std::int64_t to = 0; to < m; ++to) {
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        out[static_cast<std::size_t>((tap * m + to) * c + in)] =
            (*weights.reals)[static_cast<std::size_t>((in * m + to) * taps + tap)];
      }
    }
  }
  return out;
}

}  // namespace

// No two windows overlap, so each input pixel gives its own kh x kw block of outputs: a 1x1 convolution, whose channels
// then move into space.
Status lower_conv_transpose(Lowering& l, const IrNode& node) {
  const auto weights = weights_of(l, node);
  if (!weights) return weights.error();
  TESSERA_TRY(check_transpose(node, **weights));
  const std::int64_t m = (*weights)->dims[1], kh = (*weights)->dims[2], kw = (*weights)->dims[3];
  const auto bias = bias_of(l, node, m);
  if (!bias) return bias.error();
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto image = l.image(node, *view);
  if (!image) return image.error();
  if (m * kh * kw > kMaxExtent) return misfit(node, m, " output channels");
  TESSERA_TRY(l.spend(node, static_cast<double>((*weights)->size())));  // in the engine's order
  ConvAttrs conv;
  conv.oc = static_cast<int>(m * kh * kw);
  conv.weights = std::make_shared<const std::vector<float>>(as_pointwise(**weights));
  if (*bias) {
    std::vector<float> repeated;
    for (std::int64_t tap = 0; tap < kh * kw; ++tap) repeated.insert(repeated.end(), (*bias)->begin(), (*bias)->end());
    conv.bias = std::make_shared<const std::vector<float>>(std::move(repeated));
  }
  const auto blocks = l.add(node, std::move(conv), {*image}, "blocks");
  if (!blocks) return blocks.error();
  const Extents e = l.extents_of_value(*blocks);
  const RearrangeAttrs spread{
      {e.n, e.h, kh, e.w, kw, m}, {e.h * e.w * e.c, e.w * e.c, kw * m, e.c, m, 1}, 0, {e.n, e.h * kh, e.w * kw, m}};
  const auto out = l.add(node, spread, {*blocks});
  if (!out) return out.error();
  l.define_whole(node, *out, Kind::real, image_dims(l.extents_of_value(*out)), image_order(4));
  return {};
}

Status lower_batch_normalization(Lowering& l, const IrNode& node) {
  if (node.int_or("training_mode", 0) != 0) return not_supported(node, "training_mode");
  if (node.int_or("spatial", 1) != 1) return not_supported(node, "spatial = 0");
  auto view = l.view(node, 0);
  if (!view) return view.error();
  if (view->dims.size() < 2) return misfit(node, "an input of ", shown(view->dims));
  BatchNormAttrs attrs;
  attrs.epsilon = node.float_or("epsilon", 1e-5f);
  Constant* const parts[] = {&attrs.gamma, &attrs.beta, &attrs.mean, &attrs.variance};
  for (std::size_t i = 0; i < 4; ++i) {
    const Tensor* part = l.constant(node, i + 1);
    if (part == nullptr || !part->is_real()) return not_supported(node, "input ", i + 1, " is not known");
    if (part->size() != view->dims[1]) {
      return misfit(node, "input ", i + 1, " is ", shown(part->dims), " for ", view->dims[1], " channels");
    }
    *parts[i] = part->reals;
  }
  const Order order = image_order(view->dims.size());  // channels innermost, whatever the rank
  const auto input = l.value_in(node, *view, order, four_extents(permuted(view->dims, order)));
  if (!input) return input.error();
  const auto out = l.add(node, std::move(attrs), {*input});
  if (!out) return out.error();
  l.define_whole(node, *out, Kind::real, view->dims, order);
  return {};
}

}  // namespace tessera::onnx
