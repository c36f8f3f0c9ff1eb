#include <cmath>

#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

bool in_range(std::int64_t v, std::int64_t low, std::int64_t high) { return low <= v && v <= high; }

Problem check_thresholds(const Params& p) {
  // Written so that NaN fails.
  if (!(p.detection_threshold >= 0.0f && p.detection_threshold < 1.0f)) {
    return problem(ErrorCode::InvalidDetectionThreshold, "detection_threshold", "set it to a number in [0, 1)");
  }
  if (!(p.nms_iou_threshold >= 0.0f && p.nms_iou_threshold <= 1.0f)) {
    return problem(ErrorCode::InvalidNmsThreshold, "nms_iou_threshold", "set it to a number in [0, 1]");
  }
  if (!in_range(p.max_detections, 1, 65'536)) {
    return problem(ErrorCode::InvalidCapacity, "max_detections", "set it to 1...65,536", p.max_detections);
  }
  return {};
}

Problem check_extents(const Params& p) {
  const struct {
    const char* name;
    std::int32_t extent;
  } extents[] = {{"model_input_size width", p.model_input_size.width},
                 {"model_input_size height", p.model_input_size.height},
                 {"original_image_size width", p.original_image_size.width},
                 {"original_image_size height", p.original_image_size.height}};
  for (const auto& [name, extent] : extents) {
    if (!in_range(extent, 1, kMaxExtent)) {
      return problem(ErrorCode::InvalidImageExtent, name, "set it to 1...1,048,576", extent);
    }
  }
  if (p.num_classes < 1) {
    return problem(ErrorCode::InvalidClassCount, "num_classes", "set it to at least 1", p.num_classes);
  }
  return {};
}

Problem check_limits(const Params& p) {
  if (p.candidate_limit && !in_range(*p.candidate_limit, 0, 4'194'304)) {
    return problem(ErrorCode::InvalidCandidateLimit, "candidate_limit", "set it to 0 (none)...4,194,304",
                   *p.candidate_limit);
  }
  if (p.candidate_limit == 0 && p.multi_label) {
    return problem(ErrorCode::InvalidCandidateLimit, "candidate_limit",
                   "multi_label needs a limit: leave it unset or > 0", 0);
  }
  if (!in_range(p.max_per_class, 0, 65'536)) {
    return problem(ErrorCode::InvalidPerClassLimit, "max_per_class", "set it to 0 (none)...65,536", p.max_per_class);
  }
  return {};
}

Problem check_mosaic(const Params& p) {
  if (!in_range(p.mosaic.rows, 1, 8))
    return problem(ErrorCode::InvalidMosaic, "mosaic rows", "set it to 1...8", p.mosaic.rows);
  if (!in_range(p.mosaic.cols, 1, 8))
    return problem(ErrorCode::InvalidMosaic, "mosaic cols", "set it to 1...8", p.mosaic.cols);
  if (p.model_input_size.width % p.mosaic.cols != 0 || p.model_input_size.height % p.mosaic.rows != 0) {
    return problem(ErrorCode::InvalidMosaic, "mosaic", "rows and cols must divide the model's height and width");
  }
  return {};
}

Problem check_box_step(const Params& p) {
  if (p.voting && !(p.voting->iou >= 0.0f && p.voting->iou <= 1.0f)) {
    return problem(ErrorCode::InvalidBoxStep, "voting iou", "set it to a number in [0, 1]");
  }
  if (!p.edge_penalty) return {};
  if (!(p.edge_penalty->factor > 0.0f && p.edge_penalty->factor <= 1.0f)) {
    return problem(ErrorCode::InvalidBoxStep, "edge_penalty factor", "set it to a number in (0, 1]");
  }
  if (!(p.edge_penalty->margin >= 0.0f && p.edge_penalty->margin <= static_cast<float>(kMaxExtent))) {
    return problem(ErrorCode::InvalidBoxStep, "edge_penalty margin", "set it to a number in [0, 1,048,576]");
  }
  if (p.mosaic.rows * p.mosaic.cols == 1) {
    return problem(ErrorCode::InvalidBoxStep, "edge_penalty", "a mosaic of 1 x 1 has no inner edges: leave it unset");
  }
  return {};
}

Problem check_resize(const Params& p) {
  if (p.resize.mode != Resize::Mode::Explicit) return {};
  const Resize& r = p.resize;
  const struct {
    const char* name;
    std::int64_t scaled, pad, extent;
  } axes[] = {{"resize width", r.scaled.width, r.pad_left, p.model_input_size.width / p.mosaic.cols},
              {"resize height", r.scaled.height, r.pad_top, p.model_input_size.height / p.mosaic.rows}};
  for (const auto& axis : axes) {
    if (axis.scaled < 1)
      return problem(ErrorCode::InvalidResize, axis.name, "the scaled extent must be at least 1", axis.scaled);
    if (axis.pad < 0) return problem(ErrorCode::InvalidResize, axis.name, "the pad must not be negative", axis.pad);
    if (axis.pad + axis.scaled > axis.extent) {
      return problem(ErrorCode::InvalidResize, axis.name, "pad + scaled must fit the model's (or tile's) extent",
                     axis.pad + axis.scaled);
    }
  }
  return {};
}

Problem check_keypoints(const Params& p) {
  if (p.keypoint_dims != 2 && p.keypoint_dims != 3) {
    return problem(ErrorCode::InvalidKeypointShape, "keypoint_dims", "set it to 2 or 3", p.keypoint_dims);
  }
  const std::int64_t values = std::int64_t{p.keypoint_count} * p.keypoint_dims;
  if (!in_range(values, 1, 1024)) {
    return problem(ErrorCode::InvalidKeypointShape, "keypoint_count * keypoint_dims", "must be 1...1,024", values);
  }
  return {};
}

}  // namespace

Problem check_scalars(const Params& params) {
  for (const auto step :
       {check_thresholds, check_extents, check_limits, check_mosaic, check_box_step, check_resize, check_keypoints}) {
    if (auto found = step(params)) return found;
  }
  return {};
}

}  // namespace tessera::boxdecode
