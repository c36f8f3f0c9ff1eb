#pragma once
// Nodes in an order in which every input is there when it is read.

#include <tessera/result.h>

#include <string_view>

#include "model/onnx/ir.h"

namespace tessera::onnx {

/// Keeps the file's order where it is one already; else sorts, preferring it.
/// Errors  corrupt: a value that nothing makes, or nodes that wait for each other (one is named).
Status put_in_order(IrGraph& graph, std::string_view name);

}  // namespace tessera::onnx
