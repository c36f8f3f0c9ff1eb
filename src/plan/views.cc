#include "plan/views.h"

#include <algorithm>

namespace tessera {
namespace {

void place_in_concat(const Graph& graph, const Node& concat, std::vector<View>& views) {
  std::int64_t channel = 0;
  for (ValueId id : concat.inputs) {
    View& view = views[static_cast<std::size_t>(id)];
    const bool given = std::holds_alternative<InputAttrs>(graph.producer(id).attrs);
    if (!given && view.parent == kNone) view = {concat.output, channel};
    channel += extents(graph.value(id).spec).c;
  }
}

// Every input stands at its own place in the output; an input that is there twice stands only at the first.
bool concat_in_place(const Graph& graph, const std::vector<View>& views, const Node& concat) {
  std::int64_t channel = 0;
  for (ValueId id : concat.inputs) {
    const View& view = views[static_cast<std::size_t>(id)];
    if (view.parent != concat.output || view.channel != channel) return false;
    channel += extents(graph.value(id).spec).c;
  }
  return true;
}

}  // namespace

std::vector<View> find_views(const Graph& graph, bool zero_copy) {
  std::vector<View> views(graph.values.size());
  if (!zero_copy) return views;
  for (const Node& node : graph.nodes) {
    if (const auto* slice = std::get_if<SliceAttrs>(&node.attrs)) {
      views[static_cast<std::size_t>(node.output)] = {node.inputs[0], slice->begin};
    } else if (std::holds_alternative<IdentityAttrs>(node.attrs)) {
      views[static_cast<std::size_t>(node.output)] = {node.inputs[0], 0};
    } else if (std::holds_alternative<ConcatAttrs>(node.attrs)) {
      place_in_concat(graph, node, views);
    }
  }
  return views;
}

View in_root(const std::vector<View>& views, ValueId id) {
  View root{id, 0};
  while (views[static_cast<std::size_t>(root.parent)].parent != kNone) {
    const View& step = views[static_cast<std::size_t>(root.parent)];
    root = {step.parent, root.channel + step.channel};
  }
  return root;
}

bool is_alias(const Graph& graph, const std::vector<View>& views, const Node& node) {
  if (std::holds_alternative<ConcatAttrs>(node.attrs)) return concat_in_place(graph, views, node);
  const bool looks =
      std::holds_alternative<SliceAttrs>(node.attrs) || std::holds_alternative<IdentityAttrs>(node.attrs);
  return looks && views[static_cast<std::size_t>(node.output)].parent == node.inputs[0];
}

}  // namespace tessera
