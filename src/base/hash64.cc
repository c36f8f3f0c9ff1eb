#include "base/hash64.h"

#include <bit>
#include <cstring>

namespace tessera {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9,
                        kPrime4 = 0x85EBCA77C2B2AE63, kPrime5 = 0x27D4EB2F165667C5;

static_assert(std::endian::native == std::endian::little, "the hash is defined on little-endian words");

template <class Word>
std::uint64_t word_at(const std::byte* p) noexcept {
  Word word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

/// A page: the processor's own look ahead ends with a small page, and memory would then set a slower pace than it must.
constexpr std::ptrdiff_t kAhead = 4096;

constexpr std::uint64_t round(std::uint64_t state, std::uint64_t word) noexcept {
  return std::rotl(state + word * kPrime2, 31) * kPrime1;
}
constexpr std::uint64_t merge(std::uint64_t hash, std::uint64_t state) noexcept {
  return (hash ^ round(0, state)) * kPrime1 + kPrime4;
}

/// All whole stripes of 32 bytes, which it takes off `bytes`: four states, so that their products do not wait for one
/// another.
std::uint64_t take_stripes(std::span<const std::byte>& bytes) noexcept {
  std::uint64_t a = kPrime1 + kPrime2, b = kPrime2, c = 0, d = 0 - kPrime1;
  const std::byte *p = bytes.data(), *end = p + bytes.size() / 32 * 32;
  for (; p != end; p += 32) {
    if (end - p > kAhead) __builtin_prefetch(p + kAhead);
    a = round(a, word_at<std::uint64_t>(p)), b = round(b, word_at<std::uint64_t>(p + 8));
    c = round(c, word_at<std::uint64_t>(p + 16)), d = round(d, word_at<std::uint64_t>(p + 24));
  }
  bytes = bytes.last(bytes.size() % 32);
  const std::uint64_t hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
  return merge(merge(merge(merge(hash, a), b), c), d);
}

std::uint64_t take_rest(std::span<const std::byte> bytes, std::uint64_t hash) noexcept {
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    hash = std::rotl(hash ^ round(0, word_at<std::uint64_t>(bytes.data())), 27) * kPrime1 + kPrime4;
  }
  if (bytes.size() >= 4) {
    hash = std::rotl(hash ^ word_at<std::uint32_t>(bytes.data()) * kPrime1, 23) * kPrime2 + kPrime3;
    bytes = bytes.subspan(4);
  }
  for (const std::byte b : bytes) hash = std::rotl(hash ^ static_cast<std::uint64_t>(b) * kPrime5, 11) * kPrime1;
  return hash;
}

}  // namespace

std::uint64_t hash64(std::span<const std::byte> bytes) noexcept {
  const std::uint64_t size = bytes.size();
  std::uint64_t hash = size >= 32 ? take_stripes(bytes) : kPrime5;
  hash = take_rest(bytes, hash + size);
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace tessera
