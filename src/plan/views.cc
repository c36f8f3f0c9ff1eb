#include "plan/views.h"

#include <algorithm>

namespace tessera {
namespace {

constexpr std::int64_t kLanes = 16;  // floats of a cache line, and of the widest vector

bool is_given(const Graph& graph, ValueId id) {  // before the run, where it is
  const Attrs& attrs = graph.producer(id).attrs;
  return std::holds_alternative<InputAttrs>(attrs) || std::holds_alternative<ConstantAttrs>(attrs);
}

std::int64_t channels(const Graph& graph, ValueId id) { return extents(graph.value(id).spec).c; }

// A value of which inputs `at` and following are all slices, in order: it can stand in the concat instead of them.
ValueId whole_of_slices(const Graph& graph, const Node& concat, std::size_t at, const std::vector<View>& views) {
  const auto slice_of = [&](ValueId id) { return std::get_if<SliceAttrs>(&graph.producer(id).attrs); };
  if (!slice_of(concat.inputs[at])) return kNone;
  const ValueId whole = graph.producer(concat.inputs[at]).inputs[0];
  std::int64_t channel = 0;
  for (; at < concat.inputs.size() && channel < channels(graph, whole); ++at) {
    const View& view = views[static_cast<std::size_t>(concat.inputs[at])];
    if (!slice_of(concat.inputs[at]) || view.parent != whole || view.channel != channel) return kNone;
    channel += channels(graph, concat.inputs[at]);
  }
  return channel == channels(graph, whole) ? whole : kNone;
}

void place_in_concat(const Graph& graph, const Node& concat, std::vector<View>& views) {
  std::int64_t channel = 0;
  for (std::size_t i = 0; i < concat.inputs.size(); ++i) {
    const ValueId whole = whole_of_slices(graph, concat, i, views), id = whole == kNone ? concat.inputs[i] : whole;
    View& view = views[static_cast<std::size_t>(id)];
    if (!is_given(graph, id) && view.parent == kNone) view = {concat.output, channel, 0};
    channel += channels(graph, concat.inputs[i]);
  }
}

// Every input stands at its own place in the output; an input that is there twice stands only at the first.
bool concat_in_place(const Graph& graph, const std::vector<View>& views, const Node& concat) {
  const View out = in_root(views, concat.output);
  std::int64_t channel = out.channel;
  for (ValueId id : concat.inputs) {
    const View view = in_root(views, id);
    if (view.parent != out.parent || view.channel != channel || view.pixel_stride != out.pixel_stride) return false;
    channel += channels(graph, id);
  }
  return true;
}

// All of its root, without gaps between pixels: then the linear order is the order in memory.
bool is_dense(const Graph& graph, const std::vector<View>& views, ValueId id) {
  const View root = in_root(views, id);
  const std::int64_t stride = root.pixel_stride != 0 ? root.pixel_stride : root_pixel_stride(graph, root.parent);
  return stride == extents(graph.value(id).spec).c;
}

// After the concats: what stands in one has gaps.
void view_reshapes(const Graph& graph, std::vector<View>& views) {
  for (const Node& node : graph.nodes) {
    View& view = views[static_cast<std::size_t>(node.output)];
    if (!std::holds_alternative<ReshapeAttrs>(node.attrs) || view.parent != kNone) continue;
    if (is_dense(graph, views, node.inputs[0])) view = {node.inputs[0], 0, extents(graph.value(node.output).spec).c};
  }
}

}  // namespace

// From 16 channels on, every pixel begins on a cache line, so that full vectors never straddle two. Narrower pixels
// stay packed: padding an RGB input to 16 channels would make it five times as large. Constants are as they came.
std::int64_t root_pixel_stride(const Graph& graph, ValueId root) {
  const std::int64_t channels = extents(graph.value(root).spec).c;
  const bool packed = channels < kLanes || std::holds_alternative<ConstantAttrs>(graph.producer(root).attrs);
  return packed ? channels : (channels + kLanes - 1) / kLanes * kLanes;
}

std::vector<View> find_views(const Graph& graph, bool zero_copy) {
  std::vector<View> views(graph.values.size());
  if (!zero_copy) return views;
  for (const Node& node : graph.nodes) {
    if (const auto* slice = std::get_if<SliceAttrs>(&node.attrs)) {
      views[static_cast<std::size_t>(node.output)] = {node.inputs[0], slice->begin, 0};
    } else if (std::holds_alternative<IdentityAttrs>(node.attrs)) {
      views[static_cast<std::size_t>(node.output)] = {node.inputs[0], 0, 0};
    } else if (std::holds_alternative<ConcatAttrs>(node.attrs)) {
      place_in_concat(graph, node, views);
    }
  }
  view_reshapes(graph, views);
  return views;
}

View in_root(const std::vector<View>& views, ValueId id) {
  View root{id, 0, 0};
  while (views[static_cast<std::size_t>(root.parent)].parent != kNone) {
    const View& step = views[static_cast<std::size_t>(root.parent)];
    root = {step.parent, root.channel + step.channel, root.pixel_stride != 0 ? root.pixel_stride : step.pixel_stride};
  }
  return root;
}

bool is_alias(const Graph& graph, const std::vector<View>& views, const Node& node) {
  if (std::holds_alternative<ConstantAttrs>(node.attrs)) return true;
  if (std::holds_alternative<ConcatAttrs>(node.attrs)) return concat_in_place(graph, views, node);
  const bool looks = std::holds_alternative<SliceAttrs>(node.attrs) ||
                     std::holds_alternative<IdentityAttrs>(node.attrs) ||
                     std::holds_alternative<ReshapeAttrs>(node.attrs);
  return looks && views[static_cast<std::size_t>(node.output)].parent == node.inputs[0];
}

}  // namespace tessera
