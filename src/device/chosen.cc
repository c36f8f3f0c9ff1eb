#include "device/chosen.h"

#include <algorithm>

#include "base/text.h"

namespace tessera {
namespace {

Error unfit(const KernelChoice& choice, const std::string& why) {
  return {Code::invalid_argument, text("choice of ", choice.impl, " for node '", choice.node, "': ", why)};
}

}  // namespace

std::string describe_node(const Graph& graph, const Node& node) {
  std::string out = op_name(node.attrs);
  if (const auto* conv = std::get_if<ConvAttrs>(&node.attrs)) {
    append_text(out, text(" ", conv->kh, "x", conv->kw, " s", conv->sh));
    if (conv->sw != conv->sh) append_text(out, text("x", conv->sw));
    if (conv->groups > 1) append_text(out, text(" groups ", conv->groups));
  }
  const char* before = ", ";
  for (const ValueId id : node.inputs) {
    append_text(out, text(before, to_string(graph.value(id).spec.shape)));
    before = " + ";
  }
  return out + text(" -> ", to_string(graph.value(node.output).spec.shape));
}

Result<std::map<std::string, const NodeImplInfo*>> find_chosen(const DeviceInfo& device, const Graph& graph,
                                                               std::span<const KernelChoice> chosen) {
  std::map<std::string, const Node*> nodes;
  for (const Node& node : graph.nodes) nodes[node.name] = &node;
  std::map<std::string, const NodeImplInfo*> out;
  for (const KernelChoice& choice : chosen) {
    const auto node = nodes.find(choice.node);
    if (node == nodes.end()) {
      return unfit(choice, "the graph has no such node; want choices saved from this model with the same passes");
    }
    const std::string of = describe_node(graph, *node->second);
    if (!choice.of.empty() && choice.of != of) {
      return unfit(choice, text("it is ", of, ", the choice was made for ", choice.of,
                                "; want choices saved from this model at this size"));
    }
    const auto impls = device.impls(node->second->attrs);
    const auto impl = std::ranges::find_if(impls, [&](const NodeImplInfo& i) { return choice.impl == i.name; });
    if (impl == impls.end()) {
      return unfit(choice, text("device '", device.name, "' has none of that name for ", op_name(node->second->attrs),
                                "; there are ", impl_names(impls)));
    }
    out[choice.node] = &*impl;
  }
  return out;
}

Result<const NodeImplInfo*> take_chosen(const Chooser& chooser, const ImplContext& context, const NodeImplInfo& impl,
                                        NodeChoice& choice) {
  if (const auto why = chooser.reason_against(impl, context)) {
    return Error{Code::unsupported,
                 text("choice of ", impl.name, " for node '", context.node->name, "': ", *why,
                      "; want choices saved on such a processor with the same --isa, --exact and --disable")};
  }
  choice = {context.node->name, impl.name, {}};
  return &impl;
}

}  // namespace tessera
