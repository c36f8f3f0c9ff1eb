// Key points. Source: the public pose heads of YOLOv8/11 (doubled offsets from the cell's corner) and YOLO26 (offsets
// from its centre). The third value is a visibility: always the sigmoid of what is stored.

#include <cmath>
#include <cstring>

#include "boxdecode/numbers.h"
#include "boxdecode/read.h"
#include "boxdecode/tasks/tasks.h"

namespace tessera::boxdecode {
namespace {

struct Point {
  float values[3];
};

Point decode_point(const TaskPlan& task, const Origin& from, const float* raw) noexcept {
  const auto col = static_cast<float>(from.x), row = static_cast<float>(from.y);
  const float st = from.head->stride;
  Point point{};
  if (task.keypoints_from_centre) {
    point.values[0] = (raw[0] + (col + 0.5f)) * st;
    point.values[1] = (raw[1] + (row + 0.5f)) * st;
  } else {
    point.values[0] = (2.0f * raw[0] + col) * st;
    point.values[1] = (2.0f * raw[1] + row) * st;
  }
  if (task.keypoint_dims == 3) point.values[2] = sigmoid(raw[2]);
  return point;
}

Point mapped(const Mapping& mapping, const Point& point) noexcept {
  if (!std::isfinite(point.values[0]) || !std::isfinite(point.values[1])) return {};
  return {mapping.x(point.values[0]), mapping.y(point.values[1]), point.values[2]};
}

}  // namespace

void emit_keypoints(const PlanData& plan, const Mapping& mapping, std::span<const Kept> kept,
                    const Candidate* candidates, const Bindings& bindings) noexcept {
  const TaskPlan& task = plan.task;
  const auto dims = static_cast<std::size_t>(task.keypoint_dims);
  std::byte* out = bindings.outputs[4].data();
  for (const Kept& detection : kept) {
    const Origin from = origin_of(plan, candidates[detection.candidate].ordinal());
    const InputPlan& input = from.head->keypoints;
    const std::byte* data = bindings.inputs[static_cast<std::size_t>(input.port)].data();
    for (std::int32_t p = 0; p < task.keypoint_count; ++p, out += dims * sizeof(float)) {
      float raw[3] = {};
      read_values(input, data, from.y, from.x, std::int64_t{p} * task.keypoint_dims, task.keypoint_dims, raw);
      const Point point = mapped(mapping, decode_point(task, from, raw));
      std::memcpy(out, point.values, dims * sizeof(float));
    }
  }
  const std::byte* end = bindings.outputs[4].data() + static_cast<std::size_t>(plan.outputs[4].bytes);
  std::memset(out, 0, static_cast<std::size_t>(end - out));
}

}  // namespace tessera::boxdecode
