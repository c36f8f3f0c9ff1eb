#include "base/memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tessera {
namespace {

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

constexpr std::size_t kSmallPage = 4096;  // at most what the system's pages are
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kChunk = std::size_t{32} << 20;  // of addresses: memory is taken as pieces are handed out
constexpr std::size_t kLarge = kChunk / 2;             // from here on a piece has a mapping of its own

constexpr std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Fresh mappings hold zeros. The larger one is cut to where huge pages begin and end.
std::shared_ptr<std::byte> map(std::size_t bytes) {
  const std::size_t size = round_up(bytes, kHugePage), larger = size + kHugePage;
  void* memory = ::mmap(nullptr, larger, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(memory);
  const std::size_t before =
      round_up(reinterpret_cast<std::uintptr_t>(first), kHugePage) - reinterpret_cast<std::uintptr_t>(first);
  if (before > 0) ::munmap(first, before);
  if (before < kHugePage) ::munmap(first + before + size, kHugePage - before);
  ::madvise(first + before, size, MADV_HUGEPAGE);  // a wish: may be refused
  return {first + before, [size](std::byte* p) { ::munmap(p, size); }};
}

/// A chunk that is being filled; whoever has a piece of it keeps it alive.
struct Chunk {
  std::weak_ptr<std::byte> memory;
  std::size_t used = 0;
};

/// The huge pages that no other piece shares go at once, the rest with the chunk.
void give_back(std::byte* piece, std::size_t bytes) {
  const auto begin = round_up(reinterpret_cast<std::uintptr_t>(piece), kHugePage);
  const auto end = (reinterpret_cast<std::uintptr_t>(piece) + bytes) / kHugePage * kHugePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

std::shared_ptr<std::byte> piece_of_chunk(std::size_t bytes) {
  thread_local Chunk chunk;
  auto memory = chunk.memory.lock();
  if (!memory || chunk.used + bytes > kChunk) {
    memory = map(kChunk);
    if (!memory) return nullptr;
    chunk = {memory, 0};
  }
  std::byte* piece = memory.get() + chunk.used;
  chunk.used += round_up(bytes, kMemoryAlignment);
  if (bytes < kHugePage) return {std::move(memory), piece};
  return {piece, [bytes, chunk = std::move(memory)](std::byte* p) { give_back(p, bytes); }};
}

// So that the pages are there before the first run.
void touch(std::byte* memory, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += kSmallPage) static_cast<volatile std::byte*>(memory)[i] = std::byte{0};
  if (bytes > 0) static_cast<volatile std::byte*>(memory)[bytes - 1] = std::byte{0};
}

std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  auto out = bytes < kLarge ? piece_of_chunk(bytes) : map(bytes);
  if (out) touch(out.get(), bytes);
  return out;
}

#else

// Pieces of their own, so that a sanitizer sees an overrun.
std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  const std::size_t size = (bytes / kMemoryAlignment + 1) * kMemoryAlignment;
  void* memory = std::aligned_alloc(kMemoryAlignment, size);
  if (!memory) return nullptr;
  std::memset(memory, 0, size);
  return {static_cast<std::byte*>(memory), std::free};
}

#endif

}  // namespace

std::shared_ptr<std::byte> allocate_zeroed(std::size_t bytes) { return allocate(bytes); }

}  // namespace tessera
