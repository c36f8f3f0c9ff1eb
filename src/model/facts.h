#pragma once
// What a model says of itself besides its graph must fit the graph. Every format's result goes through this check.

#include <tessera/result.h>

#include "model/model.h"

namespace tessera {

/// Shapes must be inferred. Errors: invalid_argument, naming the fact.
Status check_facts(const Model& model);

}  // namespace tessera
