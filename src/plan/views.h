#pragma once
// Which values need no memory of their own because they are channels of another value.

#include <vector>

#include "graph/graph.h"

namespace tessera {

/// Channels [channel, channel + c) of `parent`; parent kNone: a root, with a buffer of its own.
struct View {
  ValueId parent = kNone;
  std::int64_t channel = 0;
};

/// Per value. Slices and identities view what they read. An input of a concat is a part of the concat's output unless
/// it is a graph input (the caller writes it before the run) or is a part of something already; then the concat copies
/// it.
std::vector<View> find_views(const Graph& graph, bool zero_copy);
/// The view of `id` in its root: parents followed, channels added up.
View in_root(const std::vector<View>& views, ValueId id);
/// The node that writes `id` has nothing to do: every channel of it is in place when its inputs are.
bool is_alias(const Graph& graph, const std::vector<View>& views, const Node& node);

}  // namespace tessera
