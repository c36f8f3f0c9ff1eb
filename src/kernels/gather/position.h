#pragma once
// From an index as a graph computes it to a position that exists.

#include <cstdint>

namespace tessera {

/// Negative counts from the end; outside is the nearest inside, NaN 0, fractions are cut off. extent is at least 1.
inline std::int64_t gather_position(float index, std::int64_t extent) {
  const auto length = static_cast<double>(extent);
  double at = index;
  if (at <= -1) at += length;
  if (!(at > 0)) return 0;  // NaN too
  return at < length ? static_cast<std::int64_t>(at) : extent - 1;
}

}  // namespace tessera
