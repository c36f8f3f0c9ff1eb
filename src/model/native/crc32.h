#pragma once
// CRC-32 as in ISO 3309, PNG and zlib (polynomial 0x04c11db7, reflected), so that any language's library can write it.

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::native {

/// Of `before`'s bytes followed by `bytes`: before is the value for what came before, 0 for nothing.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;
/// The slow twin: tables only, on every processor.
std::uint32_t crc32_by_tables(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

#if defined(TESSERA_X86)
inline constexpr std::size_t kLeastToFold = 64;  ///< bytes
bool can_fold() noexcept;                        ///< whether the processor multiplies without carries
/// 16 bytes that leave the same remainder as the beginning of a message.
struct Folded {
  std::byte rest[16];
  std::size_t taken;  ///< bytes of that beginning
};
/// `state`: the remainder before the message; the 16 bytes have taken it in. At least kLeastToFold bytes.
Folded fold(std::span<const std::byte> bytes, std::uint32_t state) noexcept;
#endif

}  // namespace tessera::native
