#pragma once
// How kernels see NHWC activations: pixels of c adjacent channels, a stride apart. A channel slice of a wider buffer is
// such a run, and the floats between its pixels belong to somebody else: kernels neither read nor write them.

#include <cstdint>

namespace tessera {

struct Pixels {
  const float* data;
  std::int64_t stride;  ///< floats from one pixel to the next; 0 repeats one pixel
};
struct MutablePixels {
  float* data;
  std::int64_t stride;  ///< >= c
};

}  // namespace tessera
