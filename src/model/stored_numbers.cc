#include "model/stored_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little, "f32 runs are taken as they stand");

constexpr std::size_t kBlock = 64;  // a length known to the compiler, which then takes several numbers at a time

bool all_finite(const float* numbers) noexcept {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(numbers[i]) & 0x7fffffffu);
  }
  return largest < 0x7f800000u;  // infinity; NaNs are above
}

}  // namespace

Constant stored_numbers(std::span<const std::byte> bytes, const FileBytes* file) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) == 0;
  const std::size_t count = bytes.size() / sizeof(float);
  if (file && aligned) return {file->hold(bytes), Numbers(reinterpret_cast<const float*>(bytes.data()), count)};
  auto values = std::make_shared<std::vector<float>>(count);
  // An empty vector may have no address, which memcpy must not be given.
  if (count > 0) std::memcpy(values->data(), bytes.data(), count * sizeof(float));
  return Constant(std::move(values));
}

std::optional<std::size_t> first_not_finite(std::span<const float> numbers) noexcept {
  std::size_t i = 0;
  while (i + kBlock <= numbers.size() && all_finite(numbers.data() + i)) i += kBlock;
  while (i < numbers.size() && std::isfinite(numbers[i])) ++i;
  return i < numbers.size() ? std::optional(i) : std::nullopt;
}

}  // namespace tessera
