#pragma once
// Tails that pick the best themselves: rows of corners, score, class, best first.

#include <string>

#include "model/onnx/detect/probe.h"
#include "model/onnx/detect/tables.h"

namespace tessera::onnx {

/// A number that went through a tail's operators differs by at most this share of the largest one on its way.
inline constexpr double kRoundings = 32 * 0x1p-24;

/// Empty when the list holds the best classes of the best places: first as many places as it has rows, by their best
/// class, then the best pairs of place and class among them. Otherwise what differs.
std::string compare_list(const Levels& levels, const Hypothesis& hypothesis, const Prediction& prediction,
                         const Table& list);

}  // namespace tessera::onnx
