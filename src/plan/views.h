#pragma once
// Which values need no memory of their own because they are channels of another value.

#include <vector>

#include "graph/graph.h"

namespace tessera {

/// Channels [channel, channel + c) of `parent`; parent kNone: a root, with a buffer of its own. With pixel_stride not 0
/// the parent has no gaps and is seen as pixels of that many floats.
struct View {
  ValueId parent = kNone;
  std::int64_t channel = 0;
  std::int64_t pixel_stride = 0;
};

/// Elements from one pixel of a root to the next.
std::int64_t root_pixel_stride(const Graph& graph, ValueId root);

/// Per value. Slices and identities view what they read, reshapes too where that has no gaps between its pixels. An
/// input of a concat is a part of the concat's output unless it is a graph input (the caller writes it before the run),
/// a constant or is a part of something already; then the concat copies it. A value all of whose slices are inputs of a
/// concat, in order, is such a part with them.
std::vector<View> find_views(const Graph& graph, bool zero_copy);
/// The view of `id` in its root: parents followed, channels added up, the pixel stride of the nearest reshape.
View in_root(const std::vector<View>& views, ValueId id);
/// The node that writes `id` has nothing to do: every channel of it is in place when its inputs are.
bool is_alias(const Graph& graph, const std::vector<View>& views, const Node& node);

}  // namespace tessera
