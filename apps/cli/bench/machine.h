#pragma once
// What the machine can do at most, measured on the spot: f32 multiply-adds in registers, and reading from L2, from L3
// and from memory. A fraction of a second together.

#include <tessera/result.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/cpu_features.h"

namespace tessera::cli {

/// Reading speed of all threads together while what they read lies in this level.
struct MemoryLevel {
  std::string name;             ///< "L2", "L3", "memory"
  std::int64_t capacity_bytes;  ///< what fits, of all threads together; the last level's is the largest int64
  std::int64_t measured_bytes;  ///< what was read again and again
  double gb_per_s;
};

struct Machine {
  Isa isa = Isa::none;
  int threads = 1;
  double peak_gflops = 0;           ///< of all threads together
  std::vector<MemoryLevel> levels;  ///< from the smallest; at least one
};

/// `cpu` as limited by the caller's --isa. The best of a few short runs each: others' load makes figures lower only.
/// Errors: limit_exceeded when the memory to read (at most 256 MiB) cannot be had.
Result<Machine> measure_machine(const CpuInfo& cpu, int threads);

/// The smallest level that holds so many bytes.
const MemoryLevel& level_for(const Machine& machine, double bytes);

}  // namespace tessera::cli
