#pragma once
// Reading numbers out of bytes nobody has checked yet: every read says whether the bytes were there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tessera::image_internal {

using Bytes = std::span<const std::byte>;

inline std::uint8_t byte_at(Bytes bytes, std::size_t offset) noexcept {
  return std::to_integer<std::uint8_t>(bytes[offset]);
}
inline const std::uint8_t* as_u8(Bytes bytes) noexcept { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

/// bytes[offset, offset + count), or nullopt when not all of them are there.
inline std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t count) noexcept {
  if (offset > bytes.size() || count > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

enum class Endian : std::uint8_t { little, big };

/// An unsigned number of `count` <= 4 bytes.
inline std::optional<std::uint32_t> read_uint(Bytes bytes, std::uint64_t offset, unsigned count,
                                              Endian endian) noexcept {
  const auto field = slice(bytes, offset, count);
  if (!field) return std::nullopt;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    value = value << 8 | byte_at(*field, endian == Endian::big ? i : count - 1 - i);
  }
  return value;
}
inline std::optional<std::uint32_t> read_u16(Bytes bytes, std::uint64_t offset, Endian endian) noexcept {
  return read_uint(bytes, offset, 2, endian);
}
inline std::optional<std::uint32_t> read_u32(Bytes bytes, std::uint64_t offset, Endian endian) noexcept {
  return read_uint(bytes, offset, 4, endian);
}

inline bool starts_with(Bytes bytes, std::string_view mark, std::size_t offset = 0) noexcept {
  const auto field = slice(bytes, offset, mark.size());
  if (!field) return false;
  for (std::size_t i = 0; i < mark.size(); ++i) {
    if (byte_at(*field, i) != static_cast<std::uint8_t>(mark[i])) return false;
  }
  return true;
}

}  // namespace tessera::image_internal
