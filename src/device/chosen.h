#pragma once
// Choices of an earlier Executable, taken again (PrepareOptions::chosen).

#include <map>
#include <span>
#include <string>

#include "device/choose.h"

namespace tessera {

/// "conv 3x3 s2, 1x416x416x32 -> 1x208x208x64": what a choice was made for.
std::string describe_node(const Graph& graph, const Node& node);

/// By node name. Errors, naming the node: invalid_argument when the graph has no such node, it looks different there,
/// or the device has no such implementation of its operator.
Result<std::map<std::string, const NodeImplInfo*>> find_chosen(const DeviceInfo& device, const Graph& graph,
                                                               std::span<const KernelChoice> chosen);
/// Gives the node what was chosen for it. unsupported: it cannot or may not take the node now.
Result<const NodeImplInfo*> take_chosen(const Chooser& chooser, const ImplContext& context, const NodeImplInfo& impl,
                                        NodeChoice& choice);

}  // namespace tessera
