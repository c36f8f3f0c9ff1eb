#pragma once
// Measured points, the frontier among them, and the one that a stated rule takes.

#include <tessera/result.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "eval/tune/point.h"

namespace tessera::eval {

struct Accuracy {
  double map_50 = -1, map_50_95 = -1;  ///< -1: nothing to find
};

struct MeasuredPoint {
  OperatingPoint point;
  Accuracy tuned;          ///< on the half of the photos that the choice may look at
  Accuracy held_out;       ///< on the other half
  std::vector<double> ms;  ///< wall time per photo, one per round
  std::size_t photos = 0, failed = 0;
  std::string error;  ///< why it could not be run; everything else is then empty

  bool ran() const noexcept { return error.empty() && !ms.empty(); }
  double fastest_ms() const;
  double median_ms() const;
};

/// Exactly one of floor and budget.
struct ChoiceRule {
  std::optional<double> floor;   ///< fastest point with mAP@50 of at least floor + margin
  double margin = 0.005;         ///< how far above the floor, against noise
  std::optional<double> budget;  ///< most accurate point of at most so many ms per photo
};

/// Why a point was not taken, or that it was.
struct Verdict {
  bool on_frontier = false;  ///< no other point is at once as fast and as accurate
  bool chosen = false;
  std::string reason;  ///< one line for people
};

struct Choice {
  std::vector<Verdict> verdicts;  ///< one per point
  std::optional<std::size_t> chosen;
  std::string summary;  ///< the choice and what the held-out half says of it, or why there is none
};

/// Time is the median of rounds; accuracy that of the tuned half. Without a rule: the frontier, and no choice.
Choice choose(const std::vector<MeasuredPoint>& points, const ChoiceRule& rule);

}  // namespace tessera::eval
