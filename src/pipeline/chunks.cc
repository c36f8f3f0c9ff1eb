#include "pipeline/chunks.h"

#include <algorithm>

namespace tessera {

std::size_t Chunks::next(std::size_t taken) noexcept {
  std::size_t passes = options_.passes;
  if (first_) {
    passes = options_.end_passes;
  } else if (options_.photos) {
    const std::size_t left = *options_.photos - std::min(taken, *options_.photos);
    const std::size_t passes_left = (left + per_pass_ - 1) / per_pass_;
    // What a full chunk would leave for the end is made the end's size by a smaller one before it.
    if (passes_left <= options_.passes + options_.end_passes) {
      passes = passes_left > options_.end_passes ? passes_left - options_.end_passes : passes_left;
    }
  }
  first_ = false;
  return std::clamp<std::size_t>(passes, 1, options_.passes) * per_pass_;
}

}  // namespace tessera
