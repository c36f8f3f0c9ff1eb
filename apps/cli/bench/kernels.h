#pragma once
// `tessera bench --kernels`: four fused kernels, each alone at a shape of YOLOv4 at 416, beside the plain ways to
// compute the same. The forms of a kernel are one small graph, prepared with different switches: what is timed is what
// networks run.

#include <string>
#include <vector>

#include "device/device.h"

namespace tessera::cli {

struct KernelForm {
  std::string name;
  Graph graph;
  PrepareOptions options;
};
struct KernelCase {
  std::string name, shape;
  std::vector<KernelForm> forms;  ///< ours first; the last is the one that the others' results are held against
  double tolerance = 0;           ///< largest difference over the largest output; 0: equal values
};

/// mish, mish + residual, spp, upsample + concat. `isa` and `threads` come from `base`.
std::vector<KernelCase> kernel_cases(const PrepareOptions& base);

}  // namespace tessera::cli
