#pragma once
// Detectors in ONNX graphs, found by structure: where the raw heads are, what they mean, how photos are prepared.
//
//   cut_at_heads   outputs -> last convolutions                       (cut.h)
//   levels_of      heads grouped by size                              (levels.h)
//   hypotheses     families that have such channels
//   probe, confirm the tail run on chosen raw heads, held against the family's formula
//
// Nothing is taken for a detector because of its names: a tail that does not compute the formula is refused with the
// first number that differs.

#include <tessera/result.h>

#include <string>
#include <vector>

#include "model/model.h"
#include "model/onnx/detect/cut.h"
#include "model/onnx/detect/levels.h"

namespace tessera::onnx {

/// The user's word on a detector.
struct ByHand {
  std::string family;  ///< "yolov8"; empty: found by structure
  std::string heads;   ///< "box:score,box:score": values or nodes by name, a level after the other
  bool is_given() const noexcept { return !family.empty() || !heads.empty(); }
};

struct Found {
  struct Tensor {
    int value = kAbsent;                ///< [1, C, H, W]
    std::int64_t begin = 0, count = 0;  ///< channels of it
    bool whole = true;
  };
  std::vector<Tensor> tensors;
  DetectorSpec spec;  ///< ValueIds are indices into `tensors` until attach() was called
  Preprocess preprocess;
  std::vector<std::string> class_names;
  std::string account;  ///< for the log: "yolov8: strides 8, 16, 32 with 64 + 80 channels; cxcywh in pixels, ..."
};

/// The heads that the network is to be lowered up to.
/// Errors  those of cut_at_heads; not_found: a name given by hand.
Result<Cut> heads_of(const IrGraph& graph, const ByHand& by_hand);

/// Errors  unsupported: what is there instead of a detector, and how to name the heads; invalid_argument: metadata or
///         words given by hand that contradict the graph.
Result<Found> find_detector(const IrGraph& graph, const Cut& cut, const ByHand& by_hand, const ShapeOf& shape_of);

/// Makes the heads the model's outputs. values: for each of found.tensors the engine's value of the whole
/// [1, C, H, W] tensor, NHWC.
void attach(const Found& found, std::span<const ValueId> values, Model& model);

}  // namespace tessera::onnx
