#pragma once
// Times a ladder's rungs in rounds, and holds what each computes against the first.

#include <tessera/result.h>

#include <vector>

#include "bench/ladder.h"
#include "bench/outputs.h"
#include "common/io.h"

namespace tessera::cli {

/// Rungs that compute something else than the first by more than this share of the largest output are wrong.
inline constexpr double kLadderTolerance = 1e-3;

struct RungTimes {
  Rung rung;
  std::vector<double> times_ms;
  bool once = false;  ///< too slow to repeat: the only run, not warmed up
  Difference difference;

  bool agrees() const { return difference.relative <= kLadderTolerance; }
};
struct LadderTimes {
  std::vector<RungTimes> climb, alone;
};

/// `runs` timed runs of each rung, dealt to up to five rounds over all rungs so that a change of the machine's mood
/// meets them all. In a round a rung is prepared anew (one at a time is in memory), run once untimed, then timed. A
/// rung whose first run takes more than two seconds keeps that one. Errors: of preparing, and cancelled when
/// interrupted.
Result<LadderTimes> run_ladder(const Graph& graph, Ladder ladder, int runs, Io& io);

}  // namespace tessera::cli
