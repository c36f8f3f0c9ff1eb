#pragma once
// A roofline (Williams, Waterman, Patterson 2009, doi:10.1145/1498765.1498785): a point per layer, how much it computes
// per byte and how fast, below the roofs that this machine sets: its multiply-adds, and what each cache level can read.

#include <string>

#include "bench/layers.h"

namespace tessera::cli {

/// A whole SVG document. Points are as large as their share of the time, colored by kernel, and say on hover what they
/// are. Rates are of what the kernels compute: Winograd's fewer products. Layers without multiply-adds are only
/// counted.
std::string roofline_svg(const LayerReport& report, const std::string& title);

}  // namespace tessera::cli
