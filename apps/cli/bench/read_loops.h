#pragma once
// Reading memory with full registers and doing next to nothing with it.

#include <cstddef>

#include "base/cpu_features.h"

namespace tessera::cli {

/// Reads `bytes` bytes, a multiple of 256, from a 64-byte boundary on.
using ReadLoop = void (*)(const std::byte* from, std::size_t bytes);
/// For a level the processor supports.
ReadLoop read_loop(Isa isa);

}  // namespace tessera::cli
