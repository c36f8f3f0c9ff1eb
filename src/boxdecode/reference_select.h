#pragma once
// Second half of the slow twin: which candidates stay, in which order, and where their voters put them.

#include <vector>

#include "boxdecode/reference_candidates.h"

namespace tessera::boxdecode::reference {

/// Sorts into selection order and applies the candidate limit. Says whether the limit dropped any.
bool limit_candidates(const Params& p, std::vector<Found>& found);

/// Candidates in selection order -> the kept ones, in selection order, moved by their voters where voting is on.
std::vector<Found> select_detections(const Params& p, const std::vector<Found>& candidates);

}  // namespace tessera::boxdecode::reference
