#pragma once
// A timed ladder as a table, as JSON and as a plot.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/ladder_run.h"
#include "bench/plot.h"

namespace tessera::cli {

std::string ladder_text(const LadderTimes& times);
/// Adds "tolerance", "climb" and "alone".
void add_ladder(nlohmann::ordered_json& out, const LadderTimes& times);
/// Without title and subtitle.
BarPlot ladder_plot(const LadderTimes& times);
bool all_agree(const LadderTimes& times);

}  // namespace tessera::cli
