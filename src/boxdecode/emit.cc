#include "boxdecode/emit.h"

#include <array>
#include <cmath>
#include <cstring>

namespace tessera::boxdecode {
namespace {

/// One image's part of an output: rows of `row_bytes`, as many as K.
struct Rows {
  std::byte* at;
  std::size_t row_bytes;

  template <class T>
  void put(std::size_t row, const T& values) const noexcept {
    std::memcpy(at + row * row_bytes, &values, sizeof values);
  }
  void zero_from(std::size_t row, std::size_t rows) const noexcept {
    std::memset(at + row * row_bytes, 0, (rows - row) * row_bytes);
  }
};

template <class T>
std::array<T, 4> encoded(const std::array<T, 4>& xyxy, BoxEncoding encoding) noexcept {
  if (encoding == BoxEncoding::CornersXyxy) return xyxy;
  return {xyxy[0], xyxy[1], xyxy[2] - xyxy[0], xyxy[3] - xyxy[1]};
}

std::int32_t rounded(float v) noexcept { return static_cast<std::int32_t>(std::floor(static_cast<double>(v) + 0.5)); }

void put_box(const PlanData& plan, const Rows& rows, std::size_t row, const Box& box) noexcept {
  if (plan.box_dtype == DType::Float32) {
    rows.put(row, encoded<float>({box.x1, box.y1, box.x2, box.y2}, plan.encoding));
  } else {
    // Width and height are taken between the rounded corners, so that both encodings name the same pixels.
    rows.put(row, encoded<std::int32_t>({rounded(box.x1), rounded(box.y1), rounded(box.x2), rounded(box.y2)},
                                        plan.encoding));
  }
}

}  // namespace

void emit(const PlanData& plan, std::int32_t image, const Mapping& mapping, std::span<const Kept> kept,
          const Candidate* candidates, std::span<const std::span<std::byte>> outputs) noexcept {
  const std::size_t capacity = plan.nms.capacity;
  const auto rows_of = [&](std::size_t output, std::size_t row_bytes) {
    return Rows{outputs[output].data() + static_cast<std::size_t>(image) * capacity * row_bytes, row_bytes};
  };
  const Rows boxes = rows_of(0, 16), scores = rows_of(1, 4), classes = rows_of(2, 4);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Candidate& candidate = candidates[kept[i].candidate];
    put_box(plan, boxes, i, mapping(kept[i].box));
    scores.put(i, candidate.score());
    classes.put(i, candidate.class_id);
  }
  for (const Rows& rows : {boxes, scores, classes}) rows.zero_from(kept.size(), capacity);
  const auto count = static_cast<std::int32_t>(kept.size());
  std::memcpy(outputs[3].data() + static_cast<std::size_t>(image) * sizeof count, &count, sizeof count);
}

}  // namespace tessera::boxdecode
