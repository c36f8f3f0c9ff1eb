#pragma once
// `tessera bench --ladder`: from plain loops to everything the engine has, one switch after the other, and everything
// but one switch. Which rungs there are follows from the graph, the device's lists and the processor: a switch that
// changes nothing here has no rung.

#include <tessera/result.h>

#include <string>
#include <vector>

#include "device/device.h"

namespace tessera::cli {

struct Rung {
  std::string name;  ///< "winograd", "1 thread"
  std::string what;  ///< what was switched, one line
  PrepareOptions options;
};
struct Ladder {
  std::vector<Rung> climb;  ///< each has what the one before has and one thing more; the last is everything
  std::vector<Rung> alone;  ///< everything, then everything but the one thing in the name
};

/// `full`: how the network runs when nobody switches anything; its own `disabled` stays off on every rung.
/// Errors: those of Executable::prepare with `full`.
Result<Ladder> plan_ladder(const Graph& graph, const PrepareOptions& full);

}  // namespace tessera::cli
