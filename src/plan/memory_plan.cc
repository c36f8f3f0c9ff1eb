#include "plan/memory_plan.h"

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"
#include "plan/offsets.h"
#include "plan/views.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;  // bytes: a cache line, the widest vector

Error too_large(std::string_view what, const std::string& bytes) {
  return {Code::limit_exceeded, text(what, " wants ", bytes, " bytes for activations, at most ", kMaxArenaBytes,
                                     "; a smaller input or batch would fit")};
}

Result<Buffer> buffer_for(const Value& root, std::int64_t pixel_stride) {
  const Extents e = extents(root.spec);
  const auto bytes = checked_mul(e.n, e.h, e.w, pixel_stride, element_size(root.spec.dtype));
  if (!bytes || *bytes > kMaxArenaBytes) {
    return too_large(text("value '", root.name, "' (", to_string(root.spec.shape), ")"),
                     bytes ? std::to_string(*bytes) : "uncountably many");
  }
  return Buffer{.bytes = (*bytes + kAlignment - 1) / kAlignment * kAlignment};
}

bool is_input(const Node& node) { return std::holds_alternative<InputAttrs>(node.attrs); }

bool is_constant(const Node& node) { return std::holds_alternative<ConstantAttrs>(node.attrs); }

// A buffer for each root but the constants.
Status place_roots(const Graph& graph, const std::vector<View>& views, MemoryPlan& plan) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (views[i].parent != kNone || graph.values[i].producer == kNone) continue;
    Placement& placement = plan.placements[i];
    placement.pixel_stride = root_pixel_stride(graph, id);
    if (is_constant(graph.producer(id))) {
      placement.constant = id;
      continue;
    }
    const auto buffer = buffer_for(graph.values[i], placement.pixel_stride);
    if (!buffer) return buffer.error();
    placement.buffer = static_cast<std::int32_t>(plan.buffers.size());
    plan.buffers.push_back(*buffer);
  }
  return {};
}

// Buffers of the roots, and where every value lies in them.
Status place_values(const Graph& graph, const std::vector<View>& views, MemoryPlan& plan) {
  plan.placements.resize(graph.values.size());
  TESSERA_TRY(place_roots(graph, views, plan));
  for (const Node& node : graph.nodes) {
    const View view = in_root(views, node.output);
    Placement& placement = plan.placements[static_cast<std::size_t>(node.output)];
    placement = plan.placements[static_cast<std::size_t>(view.parent)];
    placement.channel = view.channel;
    if (view.pixel_stride != 0) placement.pixel_stride = view.pixel_stride;
    placement.alias = is_alias(graph, views, node);
  }
  return {};
}

// From the first write of any of its values to the last reading of any of them.
void find_lifetimes(const Graph& graph, MemoryPlan& plan) {
  const auto end = static_cast<std::int32_t>(graph.nodes.size()) - 1;
  for (Buffer& buffer : plan.buffers) buffer.first = end;
  const auto touch = [&plan](ValueId id, std::int32_t at) {
    const std::int32_t index = plan.placements[static_cast<std::size_t>(id)].buffer;
    if (index == kNone) return;
    Buffer& buffer = plan.buffers[static_cast<std::size_t>(index)];
    buffer.first = std::min(buffer.first, at);
    buffer.last = std::max(buffer.last, at);
  };
  for (std::int32_t i = 0; i <= end; ++i) {
    const Node& node = graph.nodes[static_cast<std::size_t>(i)];
    touch(node.output, is_input(node) ? 0 : i);  // the caller writes inputs before the run
    for (ValueId id : node.inputs) touch(id, i);
  }
  for (ValueId id : graph.outputs) touch(id, end);
  // A chain's nodes take turns, so that all of them may read until the last is done.
  for (const Chain& chain : plan.chains) {
    for (const std::int32_t i : chain.nodes) {
      for (ValueId id : graph.nodes[static_cast<std::size_t>(i)].inputs) touch(id, chain.nodes.back());
    }
  }
}

/// Some of a plan's buffers, placed apart from the others.
struct Placed {
  std::vector<std::size_t> which;
  std::vector<Buffer> buffers;

  void add(const MemoryPlan& plan, std::size_t index) {
    which.push_back(index);
    buffers.push_back(plan.buffers[index]);
  }
  /// Returns the bytes from `begin` on.
  std::int64_t assign(MemoryPlan& plan, std::int64_t begin, bool reuse) {
    const std::int64_t bytes = reuse ? assign_offsets(buffers) : assign_offsets_without_reuse(buffers);
    for (std::size_t i = 0; i < which.size(); ++i) plan.buffers[which[i]].offset = begin + buffers[i].offset;
    return bytes;
  }
};

void assign_all(const Graph& graph, MemoryPlan& plan, bool reuse) {
  std::vector<bool> handed(plan.buffers.size());
  for (const Chain& chain : plan.chains) {
    for (const std::int32_t i : std::span(chain.nodes).first(chain.nodes.size() - 1)) {
      const ValueId id = graph.nodes[static_cast<std::size_t>(i)].output;
      handed[static_cast<std::size_t>(plan.placements[static_cast<std::size_t>(id)].buffer)] = true;
    }
  }
  Placed arena, aside;
  for (std::size_t i = 0; i < handed.size(); ++i) (handed[i] ? aside : arena).add(plan, i);
  plan.lower_bound_bytes = largest_live_sum(arena.buffers);
  plan.arena_bytes = arena.assign(plan, 0, reuse);
  plan.aside_bytes = aside.assign(plan, plan.arena_bytes, reuse);
}

}  // namespace

Result<MemoryPlan> plan_memory(const Graph& graph, const MemoryOptions& options) {
  MemoryPlan plan;
  const std::vector<View> views = find_views(graph, options.zero_copy);
  TESSERA_TRY(place_values(graph, views, plan));
  if (options.chains && options.l2_bytes > 0) plan.chains = find_chains(graph, views, options.l2_bytes);
  find_lifetimes(graph, plan);
  for (const Buffer& buffer : plan.buffers)
    plan.no_reuse_bytes += buffer.bytes;  // far from overflow: verified graphs have at most 2^16 nodes
  assign_all(graph, plan, options.reuse);
  const std::int64_t bytes = plan.arena_bytes + plan.aside_bytes;
  if (bytes > kMaxArenaBytes) return too_large("the graph", std::to_string(bytes));
  return plan;
}

}  // namespace tessera
