#pragma once
// The slow twin's fifth output: keypoints and masks of one kept detection.

#include <cstddef>
#include <vector>

#include "boxdecode/reference_map.h"

namespace tessera::boxdecode::reference {

/// keypoint_count * keypoint_dims numbers, in pixels of the original image.
std::vector<float> keypoints_of(const Inputs& in, const Found& kept, const Placement& placed);

/// One byte per pixel of the basis, 1 inside the mask and the box. `kept` has its final box.
std::vector<std::byte> mask_of(const Inputs& in, const Found& kept);

}  // namespace tessera::boxdecode::reference
