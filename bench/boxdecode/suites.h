#pragma once

#include <string>
#include <vector>

namespace tessera::boxdecode::bench {

void register_routes(const std::vector<std::string>& scanners);
void register_steps(const std::vector<std::string>& scanners);

/// Writes candidates.npy (x1 y1 x2 y2 score class, in the order they were met) and kept.npy (their indices as our
/// selection returns them) for peers.py. False: could not write.
bool dump_selection(const std::string& folder);

}  // namespace tessera::boxdecode::bench
