#pragma once
// What a tensor is: shape, element type, layout in memory, quantisation. Shared by the engine and BoxDecode.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <variant>

namespace tessera {

enum class DType : std::uint8_t { Float32, Float16, BFloat16, Int8, UInt8, Int32, Int64 };

/// Bytes of one element.
std::int64_t element_size(DType dtype) noexcept;
const char* to_string(DType dtype) noexcept;

/// One to six extents, outermost first; also used for byte strides. A default Shape has rank 0.
class Shape {
 public:
  static constexpr int kMaxRank = 6;
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);  ///< more than kMaxRank extents: rank() tells 7, contents cut

  int rank() const noexcept { return rank_; }
  std::int64_t operator[](int axis) const noexcept { return extents_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) noexcept { return extents_[static_cast<std::size_t>(axis)]; }
  const std::int64_t* begin() const noexcept { return extents_.data(); }
  const std::int64_t* end() const noexcept { return extents_.data() + (rank_ < kMaxRank ? rank_ : kMaxRank); }
  void push_back(std::int64_t extent) noexcept;
  bool operator==(const Shape& other) const noexcept;

 private:
  std::array<std::int64_t, kMaxRank> extents_{};
  int rank_ = 0;
};

std::string to_string(const Shape& shape);  ///< "1x320x320x3"

/// Row-major, innermost axis last, no gaps.
struct Contiguous {
  bool operator==(const Contiguous&) const = default;
};
/// One byte stride per axis.
struct Strided {
  Shape byte_strides;
  bool operator==(const Strided&) const = default;
};
/// Channel-tiled device layout (docs/boxdecode.md, "blocked layout").
struct MlaCBlocked {
  std::int64_t tile_h = 1, tile_w = 1, tile_c = 16;
  bool operator==(const MlaCBlocked&) const = default;
};
using Layout = std::variant<Contiguous, Strided, MlaCBlocked>;

/// real = scale * (q - zero_point), one pair per tensor.
struct Quant {
  float scale = 1.0f;
  std::int32_t zero_point = 0;
  bool operator==(const Quant&) const = default;
};

struct TensorSpec {
  Shape shape;
  DType dtype = DType::Float32;
  Layout layout = Contiguous{};
  std::optional<Quant> quant = std::nullopt;
  bool operator==(const TensorSpec&) const = default;
};

}  // namespace tessera
