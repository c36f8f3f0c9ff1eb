#pragma once

#include <cstdint>

namespace tessera::boxdecode {

/// The raw words w with Word(w - lo) <= span. Every "key >= cutoff" is one such interval: positive words upwards, or
/// all non-negative words followed by the small negative ones.
struct RawInterval {
  std::uint32_t lo = 0;
  std::uint32_t span = 0xFFFFFFFFu;  ///< in the width of the word
};

}  // namespace tessera::boxdecode
