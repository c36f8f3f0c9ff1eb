#pragma once
// Thresholds moved to the raw domain, so that scanners reject by comparing integers.

#include <tessera/boxdecode/params.h>
#include <tessera/tensor.h>

#include <cstdint>

#include "boxdecode/raw_interval.h"

namespace tessera::boxdecode {

struct Cutoff {
  std::uint32_t key = 0;  ///< lowest key whose activated value is finite and >= T
  bool reject_all = false;
  RawInterval interval;  ///< the words with such a key, +inf and positive NaN; meaningless when reject_all
};

/// Found by evaluating the activation itself, never by inverting it. E is F32, BF16 or S8; 0 <= threshold < 1.
template <class E>
Cutoff find_cutoff(ScoreActivation activation, float threshold, Quant quant) noexcept;

/// The cutoff that admits everything: for products of factors that may exceed 1, where no skip is allowed.
template <class E>
Cutoff admit_all() noexcept;

}  // namespace tessera::boxdecode
