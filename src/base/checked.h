#pragma once
// Arithmetic on untrusted sizes: every step either fits in 64 bits or says so.

#include <cstdint>
#include <optional>

namespace tessera {

inline std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
  return r;
}
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
  return r;
}
/// Product of several factors.
template <class... Rest>
std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b, Rest... rest) noexcept {
  const auto ab = checked_mul(a, b);
  return ab ? checked_mul(*ab, rest...) : std::nullopt;
}

}  // namespace tessera
