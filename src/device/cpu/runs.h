#pragma once
// Runs of consecutive linear elements, whatever lies between pixels.

#include <algorithm>
#include <cstring>

#include "device/reference/linear.h"

namespace tessera::cpu {

inline bool is_dense(const TensorRef& t) { return t.pixel_stride == t.c || t.n * t.h * t.w == 1; }

/// Elements that follow one another in memory from this one on.
inline std::int64_t run_from(const TensorRef& t, std::int64_t index, std::int64_t wanted) {
  return is_dense(t) ? wanted : std::min(wanted, t.c - index % t.c);
}

/// dst[j ...] = src[i ...], count elements.
inline void copy_elements(const TensorRef& src, std::int64_t i, const TensorRef& dst, std::int64_t j,
                          std::int64_t count) {
  while (count > 0) {
    const std::int64_t run = run_from(dst, j, run_from(src, i, count));
    std::memcpy(&reference::element(dst, j), &reference::element(src, i),
                static_cast<std::size_t>(run) * sizeof(float));
    i += run;
    j += run;
    count -= run;
  }
}

/// `count` elements from `index` on next to each other: where they are, or gathered into scratch.
inline const float* gathered(const TensorRef& t, std::int64_t index, std::int64_t count, float* scratch) {
  if (run_from(t, index, count) == count) return &reference::element(t, index);
  const TensorRef row{scratch, 1, 1, 1, count, count};
  copy_elements(t, index, row, 0, count);
  return scratch;
}

}  // namespace tessera::cpu
