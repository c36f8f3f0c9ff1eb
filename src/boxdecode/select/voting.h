#pragma once
// Box voting: where the neighbours of a kept box think it is.

#include <cstdint>
#include <span>

#include "boxdecode/select/nms.h"

namespace tessera::boxdecode {

/// Replaces each kept box by the score-weighted mean of the candidates of its class that overlap it by more than `iou`,
/// strictly, itself included; sums in double, in selection order. Which boxes are kept, scores and classes do not
/// change.
void vote(SelectionOrder& order, std::span<Kept> kept, float iou) noexcept;

}  // namespace tessera::boxdecode
