#pragma once
// XXH64: a 64-bit hash as fast as memory, to tell contents apart. Against chance, not against intent: whoever chooses
// the bytes can make two messages of one hash.
// Source: Collet, xxHash fast digest algorithm, specification 0.2.0, section "XXH64 algorithm description".

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

/// With the seed 0.
std::uint64_t hash64(std::span<const std::byte> bytes) noexcept;

}  // namespace tessera
