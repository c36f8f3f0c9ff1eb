#pragma once
// Graph rewrites. Each is a file, has a name to switch it off by, and is idempotent.

#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "graph/graph.h"

namespace tessera {

struct Pass {
  const char* name;            ///< "fold-batch-norm"
  const char* summary;         ///< one line for --help
  Result<int> (*run)(Graph&);  ///< how many places it rewrote; the graph stays verified
};

/// In the order they run.
std::span<const Pass> passes();
/// Runs all but the disabled ones; an unknown name in `disabled` is invalid_argument and lists the known ones.
Status run_passes(Graph& graph, std::span<const std::string> disabled, const LogSink& log);

}  // namespace tessera
