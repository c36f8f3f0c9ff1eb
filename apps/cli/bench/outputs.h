#pragma once
// What runs computed, copied out, and how far two of them are apart.

#include <cstdint>
#include <vector>

#include "device/device.h"

namespace tessera::cli {

/// One vector per graph output: NHWC without gaps.
using Outputs = std::vector<std::vector<float>>;
/// Of the last run.
Outputs read_outputs(const Executable& executable, const ExecutionContext& context);

struct Difference {
  bool same_bits = true;
  double absolute = 0;    ///< the largest
  double relative = 0;    ///< the same over the largest magnitude of its output in `expected`; the worst output's
  std::int64_t ulps = 0;  ///< the most floats that lie between two counterparts
};
/// Of outputs of the same sizes. Infinite (and the largest int64) when only one side has a NaN, or the sides differ in
/// an infinity.
Difference difference(const Outputs& expected, const Outputs& got);

}  // namespace tessera::cli
