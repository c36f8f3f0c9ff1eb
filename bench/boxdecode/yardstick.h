#pragma once

#include <cstddef>

namespace tessera::boxdecode::bench {

/// Bytes per second at which one core reads `bytes` adjacent bytes again and again: best of many passes, measured once
/// per size in this run.
double read_bandwidth(std::size_t bytes);

}  // namespace tessera::boxdecode::bench
