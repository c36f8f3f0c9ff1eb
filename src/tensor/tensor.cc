#include <tessera/tensor.h>

#include <algorithm>

#include "base/text.h"

namespace tessera {

std::int64_t element_size(DType dtype) noexcept {
  switch (dtype) {
    case DType::Float32:
      return 4;
    case DType::Float16:
      return 2;
    case DType::BFloat16:
      return 2;
    case DType::Int8:
      return 1;
    case DType::UInt8:
      return 1;
    case DType::Int32:
      return 4;
    case DType::Int64:
      return 8;
  }
  return 0;
}

const char* to_string(DType dtype) noexcept {
  switch (dtype) {
    case DType::Float32:
      return "f32";
    case DType::Float16:
      return "f16";
    case DType::BFloat16:
      return "bf16";
    case DType::Int8:
      return "s8";
    case DType::UInt8:
      return "u8";
    case DType::Int32:
      return "s32";
    case DType::Int64:
      return "s64";
  }
  return "unknown";
}

Shape::Shape(std::initializer_list<std::int64_t> extents) {
  for (std::int64_t extent : extents) push_back(extent);
}

void Shape::push_back(std::int64_t extent) noexcept {
  if (rank_ < kMaxRank) extents_[static_cast<std::size_t>(rank_)] = extent;
  rank_ = std::min(rank_ + 1, kMaxRank + 1);
}

bool Shape::operator==(const Shape& other) const noexcept {
  return rank_ == other.rank_ && std::equal(begin(), end(), other.begin());
}

std::string to_string(const Shape& shape) {
  std::string out;
  for (std::int64_t extent : shape) {
    if (!out.empty()) out += 'x';
    append_text(out, extent);
  }
  return out;
}

}  // namespace tessera
