#pragma once
// What goes wrong, and what it costs: six kinds of error and the mAP that mending each alone would give back.
// Source: after Bolya et al. 2020, TIDE (arXiv:2008.08115), on COCO's matching at IoU 0.5.

#include <array>
#include <cstdint>

#include "eval/dataset.h"

namespace tessera::eval {

/// A detection that found nothing is the first of these that fits; what it overlaps is no crowd, and its IoU with it is
///   localization   0.1 to below 0.5 with an object of its class
///   classification 0.5 or more with an object of another class
///   duplicate      0.5 or more with an object of its class, which a better detection found
///   background     below 0.1 with everything
///   both           the rest: 0.1 to below 0.5 with an object of another class
/// An object that no detection found, nor would after mending localization or classification, is
///   missed.
enum class ErrorKind : std::uint8_t { classification, localization, both, duplicate, background, missed };
inline constexpr std::size_t kErrorKinds = 6;
const char* to_string(ErrorKind kind) noexcept;

struct ErrorCost {
  std::int64_t count = 0;
  /// mAP at IoU 0.5 with all errors of the kind mended, less mAP as it is. Mended means: the class put right or the box
  /// put on its object, when nothing else found that object and no better error mends to it, else the detection
  /// removed; duplicate, background and both removed; missed objects no longer asked for (a class that keeps none
  /// scores 0 if it has detections, else drops out of the mean). Rarely a little below 0.
  double cost = 0;
};

struct ErrorKinds {
  double map_50 = -1;  ///< as score_coco has it
  std::array<ErrorCost, kErrorKinds> kinds;
  const ErrorCost& of(ErrorKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
};

ErrorKinds find_errors(const Dataset& dataset, const Detections& detections);

}  // namespace tessera::eval
