#include "model/onnx/read/order.h"

#include <functional>
#include <queue>
#include <utility>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

constexpr int kGiven = -1;  // an initializer or a graph input
constexpr int kNobody = -2;

/// Which node makes each value.
std::vector<int> producers(const IrGraph& graph) {
  std::vector<int> out(graph.values.size(), kNobody);
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].constant) out[i] = kGiven;
  }
  for (const IrInput& input : graph.inputs) out[static_cast<std::size_t>(input.value)] = kGiven;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int id : graph.nodes[n].outputs) {
      if (id != kAbsent) out[static_cast<std::size_t>(id)] = static_cast<int>(n);
    }
  }
  return out;
}

Status check_made(const IrGraph& graph, const std::vector<int>& made_by, std::string_view name) {
  const auto check = [&](int id, std::string_view reader) -> Status {
    if (id == kAbsent || made_by[static_cast<std::size_t>(id)] != kNobody) return {};
    return Error{Code::corrupt, text(name, ": ", reader, " reads ", tessera::quoted(graph.value(id).name),
                                     ", which no node makes and the file does not hold")};
  };
  for (const IrNode& node : graph.nodes) {
    for (const int id : node.inputs) TESSERA_TRY(check(id, text(node.op, ' ', tessera::quoted(node.name))));
  }
  for (const int id : graph.outputs) TESSERA_TRY(check(id, "the graph's output"));
  return {};
}

}  // namespace

// Kahn's algorithm; of the nodes that are ready the file's first comes next.
Status put_in_order(IrGraph& graph, std::string_view name) {
  const std::vector<int> made_by = producers(graph);
  TESSERA_TRY(check_made(graph, made_by, name));
  std::vector<int> waits_for(graph.nodes.size(), 0);
  std::vector<std::vector<int>> readers(graph.nodes.size());
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int id : graph.nodes[n].inputs) {
      const int producer = id == kAbsent ? kGiven : made_by[static_cast<std::size_t>(id)];
      if (producer < 0) continue;
      readers[static_cast<std::size_t>(producer)].push_back(static_cast<int>(n));
      ++waits_for[n];
    }
    if (waits_for[n] == 0) ready.push(static_cast<int>(n));
  }
  std::vector<IrNode> ordered;
  ordered.reserve(graph.nodes.size());
  while (!ready.empty()) {
    const auto n = static_cast<std::size_t>(ready.top());
    ready.pop();
    ordered.push_back(std::move(graph.nodes[n]));
    for (const int reader : readers[n]) {
      if (--waits_for[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
    }
  }
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (waits_for[n] == 0) continue;
    return Error{Code::corrupt, text(name, ": ", graph.nodes[n].op, ' ', tessera::quoted(graph.nodes[n].name),
                                     " waits for itself: the graph has a cycle")};
  }
  graph.nodes = std::move(ordered);
  return {};
}

}  // namespace tessera::onnx
