#pragma once
// The passes' functions, one per file; passes.cc lists them with their names.

#include "graph/graph.h"

namespace tessera {

Result<int> drop_identities(Graph& graph);
Result<int> fold_batch_norm(Graph& graph);
Result<int> fuse_activation(Graph& graph);
Result<int> fuse_residual(Graph& graph);
Result<int> recognize_gelu(Graph& graph);
Result<int> recognize_hard_swish(Graph& graph);
Result<int> recognize_mish(Graph& graph);
Result<int> recognize_silu(Graph& graph);
Result<int> remove_dead(Graph& graph);
Result<int> spp_cascade(Graph& graph);

}  // namespace tessera
