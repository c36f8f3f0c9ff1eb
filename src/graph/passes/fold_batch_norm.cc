#include <cmath>

#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

// y = gamma * (x - mean) / sqrt(variance + epsilon) + beta = scale * x + shift, in double, rounded once.
struct Affine {
  std::vector<double> scale, shift;
};
Affine affine(const BatchNormAttrs& norm) {
  Affine out;
  for (std::size_t c = 0; c < norm.gamma->size(); ++c) {
    const double scale = (*norm.gamma)[c] / std::sqrt(double{(*norm.variance)[c]} + norm.epsilon);
    out.scale.push_back(scale);
    out.shift.push_back((*norm.beta)[c] - (*norm.mean)[c] * scale);
  }
  return out;
}

// The folded convolution gets weights of its own: the old ones may be shared with other graphs.
void fold_into(ConvAttrs& conv, const Affine& norm) {
  std::vector<float> weights(conv.weights->size()), bias(norm.shift.size());
  const float* old = conv.weights->data();
  const std::size_t per_channel = weights.size() / bias.size();
  for (std::size_t oc = 0; oc < bias.size(); ++oc) {
    const double old_bias = conv.bias ? (*conv.bias)[oc] : 0.0f;
    bias[oc] = static_cast<float>(old_bias * norm.scale[oc] + norm.shift[oc]);
    for (std::size_t i = oc * per_channel; i < (oc + 1) * per_channel; ++i) {
      weights[i] = static_cast<float>(old[i] * norm.scale[oc]);
    }
  }
  conv.weights = std::make_shared<const std::vector<float>>(std::move(weights));
  conv.bias = std::make_shared<const std::vector<float>>(std::move(bias));
}

// A normalization that follows no convolution is one itself: depthwise, 1x1.
ConvAttrs depthwise(const Affine& norm) {
  const int channels = static_cast<int>(norm.scale.size());
  ConvAttrs conv{.oc = channels, .groups = channels};
  conv.weights = std::make_shared<const std::vector<float>>(norm.scale.size(), 1.0f);
  fold_into(conv, norm);
  return conv;
}

// Nothing happens between the sum and the normalization, and nobody else sees the sum.
ConvAttrs* foldable(Graph& graph, ValueId id, const std::vector<int>& uses) {
  const NodeId producer = graph.value(id).producer;
  auto* conv = std::get_if<ConvAttrs>(&graph.nodes[static_cast<std::size_t>(producer)].attrs);
  const bool plain = conv && conv->epilogue.act.kind == Activation::linear && !conv->epilogue.residual;
  return plain && uses[static_cast<std::size_t>(id)] == 1 ? conv : nullptr;
}

}  // namespace

Result<int> fold_batch_norm(Graph& graph) {
  const std::vector<int> uses = rewrite::count_uses(graph);
  std::vector<bool> dropped(graph.nodes.size(), false);
  int count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    const auto* norm = std::get_if<BatchNormAttrs>(&node.attrs);
    if (!norm) continue;
    const Affine map = affine(*norm);
    if (ConvAttrs* conv = foldable(graph, node.inputs[0], uses)) {
      fold_into(*conv, map);
      rewrite::take_over(graph, node.inputs[0], node.output);
      dropped[i] = true;
    } else {
      node.attrs = depthwise(map);
    }
    ++count;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
