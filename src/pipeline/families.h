#pragma once
// A detector's heads in BoxDecode's words: its family's profile, which outputs make a head, anchors, activation.

#include <tessera/boxdecode.h>
#include <tessera/result.h>

#include "model/model.h"

namespace tessera {

/// profile, heads, anchor_grid, score_activation and num_classes; the rest stands at its defaults. `detector` has
/// passed check_facts. unsupported: a family that is not known, heads with and without new_coords in one model.
Result<boxdecode::Params> head_params(const DetectorSpec& detector);

/// 0.45, or 0 (no suppression) for families that are trained to give one box per object.
float default_nms_iou(const DetectorSpec& detector);

/// What the boxes of a photo and of its mirror image are merged with: both find an object, so that families whose one
/// look is not suppressed are, too.
float merge_nms_iou(const boxdecode::Params& params);

}  // namespace tessera
