#include "boxdecode/reference_tasks.h"

#include <cmath>

#include "boxdecode/numbers.h"  // sigmoid, nothing else

namespace tessera::boxdecode::reference {
namespace {

// Exact in integers where both sides are; otherwise float, rounded after every multiplication and every addition.
bool foreground(const Logical& coefficients, const Raw* c, const Logical& basis, const Raw* b) {
  if (coefficients.int8 && basis.int8) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < basis.c; ++k) {
      sum += (c[k].bits - coefficients.zero_point) * (b[k].bits - basis.zero_point);
    }
    return sum > 0;
  }
  float logit = 0.0f;
  for (std::int64_t k = 0; k < basis.c; ++k) {
    const float product = c[k].value * b[k].value;
    logit = logit + product;
  }
  return logit > 0.0f;  // NaN is not
}

}  // namespace

std::vector<float> keypoints_of(const Inputs& in, const Found& kept, const Placement& placed) {
  const Params& p = in.p;
  const Logical& tensor = in.of(p.heads[kept.head].keypoints_port);
  const Cell cell{static_cast<float>(kept.x), static_cast<float>(kept.y), stride_of(in, kept.head)};
  std::vector<float> out;
  for (std::int32_t i = 0; i < p.keypoint_count; ++i) {
    const Raw* raws = &tensor.at(kept.y, kept.x, std::int64_t{i} * p.keypoint_dims);
    const Point point = keypoint(p, raws, cell);
    const bool real = std::isfinite(point.x) && std::isfinite(point.y);
    out.push_back(real ? map_x(placed, point.x) : 0.0f);
    out.push_back(real ? map_y(placed, point.y) : 0.0f);
    if (p.keypoint_dims == 3) out.push_back(real ? sigmoid(raws[2].value) : 0.0f);
  }
  return out;
}

std::vector<std::byte> mask_of(const Inputs& in, const Found& kept) {
  const Params& p = in.p;
  const Logical& coefficients = in.of(p.heads[kept.head].coefficients_port);
  const Logical& basis = in.of(*p.basis);
  const Raw* c = &coefficients.at(kept.y, kept.x, static_cast<std::int64_t>(kept.slot) * basis.c);
  const float fx = static_cast<float>(basis.w) / static_cast<float>(p.model_input_size.width);
  const float fy = static_cast<float>(basis.h) / static_cast<float>(p.model_input_size.height);
  const float x1 = kept.box.x1 * fx, x2 = kept.box.x2 * fx, y1 = kept.box.y1 * fy, y2 = kept.box.y2 * fy;
  std::vector<std::byte> out;
  for (std::int64_t row = 0; row < basis.h; ++row) {
    for (std::int64_t col = 0; col < basis.w; ++col) {
      const auto j = static_cast<float>(col), i = static_cast<float>(row);
      const bool inside = x1 <= j && j < x2 && y1 <= i && i < y2;
      const bool on = inside && foreground(coefficients, c, basis, &basis.at(row, col, 0));
      out.push_back(on ? std::byte{1} : std::byte{0});
    }
  }
  return out;
}

}  // namespace tessera::boxdecode::reference
