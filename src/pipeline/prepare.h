#pragma once
// From a graph to an executable by a detector's options: the choice of kernels may come from a file, from time or from
// the model, and may be saved.

#include <tessera/detector.h>

#include <memory>

#include "device/device.h"

namespace tessera {

/// Device, isa, threads, switches, kernel choices. Errors: invalid_argument for an unknown isa or a negative number of
/// threads, those of read_choices, unsupported for choices of another instruction set.
Result<PrepareOptions> prepare_options(const DetectorOptions& options);

/// Prepares by prepare_options() and writes DetectorOptions::save_choices.
Result<std::shared_ptr<const Executable>> prepare_graph(Graph graph, const DetectorOptions& options);

}  // namespace tessera
