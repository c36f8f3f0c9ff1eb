#pragma once
// The part of a pooling window that lies on the image, along one axis.

#include <cstdint>

namespace tessera {
namespace {

struct Window {
  std::int64_t begin, end;  // not empty
};

inline Window window_on_image(std::int64_t out, int kernel, int stride, int pad, std::int64_t extent) {
  const std::int64_t first = out * stride - pad;
  const std::int64_t last = first + kernel;
  return {first < 0 ? 0 : first, last > extent ? extent : last};
}

}  // namespace
}  // namespace tessera
