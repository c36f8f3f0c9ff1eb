#pragma once
// How large the errors of a model's Winograd layers are, each alone on the inputs that reach it, beside the bound that
// is known before and the error of the plain sum. For `tessera compare --winograd`.

#include <string>
#include <vector>

#include "device/compare.h"

namespace tessera {

struct WinogradError {
  std::string node, impl;
  double largest = 0;                             ///< magnitude of the layer's outputs, before its activation
  double worst = 0;                               ///< largest distance to the sum in double
  double bound = 0;                               ///< what `worst` cannot exceed (winograd_bound)
  std::string plain;                              ///< what takes the layer with PrepareOptions::exact
  double plain_worst = 0;                         ///< its largest distance
  bool within() const { return worst <= bound; }  ///< no when either is NaN
};

/// One per layer that takes Winograd, in run order. Activations and residuals are kept apart from convolutions, so that
/// sums are seen as they are. Errors: as Executable::prepare and compare_executables.
Result<std::vector<WinogradError>> winograd_errors(const Graph& graph, PrepareOptions options, InputData inputs,
                                                   ThreadPool& pool);

}  // namespace tessera
