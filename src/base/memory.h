#pragma once
// Memory for weights and activations: aligned, zeroed, and in huge pages where the system lends them.
//
// A network reads its weights once per run, mostly from beyond the caches; with pages of 4 KiB the walks for their
// addresses cost up to a third of the bandwidth (docs/performance.md).

#include <cstddef>
#include <memory>

namespace tessera {

inline constexpr std::size_t kMemoryAlignment = 64;

/// `bytes` zeros, aligned to kMemoryAlignment; null when there is no memory. Pieces asked for by one thread follow one
/// another, so that hardly more memory is taken than they need; a huge page is freed with the last piece in it. Safe to
/// call at once, to pass between threads and to free anywhere.
std::shared_ptr<std::byte> allocate_zeroed(std::size_t bytes);

}  // namespace tessera
