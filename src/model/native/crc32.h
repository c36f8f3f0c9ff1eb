#pragma once
// CRC-32 as in ISO 3309, PNG and zlib (polynomial 0x04c11db7, reflected), so that any language's library can write it.

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::native {

std::uint32_t crc32(std::span<const std::byte> bytes) noexcept;

}  // namespace tessera::native
