#pragma once
// Holds a tail's outputs against a family's formula.

#include <tessera/result.h>

#include <span>
#include <string>
#include <vector>

#include "model/onnx/detect/probe.h"
#include "model/onnx/detect/tables.h"

namespace tessera::onnx {

/// What the tail says about the heads, beyond the hypothesis.
struct Confirmed {
  bool end_to_end = false;                                 ///< the tail picks the best itself
  bool decoded = true;                                     ///< boxes come out decoded, else as the raw numbers
  std::vector<std::vector<std::array<float, 2>>> anchors;  ///< per level and slot; combined heads
  float scale_xy = 1.0f;                                   ///< BoxFormula::exp
  std::string layout;                                      ///< "cxcywh in pixels, rows x columns", for people
};

/// Errors  unsupported: where and by how much the outputs differ from the formula, in the reading that goes furthest.
Result<Confirmed> confirm(const Levels& levels, const Hypothesis& hypothesis, const Prediction& prediction,
                          std::span<const Tensor> outputs);

}  // namespace tessera::onnx
