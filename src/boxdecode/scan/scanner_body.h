#pragma once
// What the SIMD scanners share over dense memory: loops over registers of adjacent words. Every ISA file includes this
// with its own register type, and the unnamed namespace gives each file its own copy, compiled with its own flags.
//
// W (one per word width) offers
//   kCount, kBytes                 words per register, bytes per word
//   Vec, Hits                      a register of words; the outcome of a comparison, one truth value per word
//   load(at), load_few(at, n)      all words; the first n < kCount (reads no more; the others are any)
//   splat(word)
//   inside(words, lo, span)        Hits of words - lo <= span, unsigned, in the width of the word
//   either(a, b), any(a), bits(a)  union; is one set; bit i for word i
//   keys(words)                    key order as signed integers (below)
//   max(a, b), greatest(a)         of such keys; the greatest in every place
//   equal(a, b)                    Hits
//   first_or(a, n, b)              a in the first n words, b in the others
//
// Keys as signed integers: floats keep their bits when positive and have all but the sign flipped when negative, so
// that magnitudes run backwards; -0 becomes 0. Int8 is its own key. The lowest such integer is key 0.

#include <cstddef>
#include <cstdint>

#include "boxdecode/raw_interval.h"

namespace tessera::boxdecode {
namespace {

inline std::uint64_t low_bits(int n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

template <class W>
typename W::Hits inside_at(const std::byte* at, typename W::Vec lo, typename W::Vec span) {
  return W::inside(W::load(at), lo, span);
}

/// Hits among the first n < kCount words.
template <class W>
std::uint64_t few_inside(const std::byte* first, int n, typename W::Vec lo, typename W::Vec span) {
  return W::bits(W::inside(W::load_few(first, n), lo, span)) & low_bits(n);
}

template <class W>
std::uint64_t dense_gate(const std::byte* first, int count, RawInterval interval) {
  const auto lo = W::splat(interval.lo), span = W::splat(interval.span);
  if (count < W::kCount) return few_inside<W>(first, count, lo, span);
  std::uint64_t open = 0;
  int i = 0;
  for (; i + W::kCount <= count; i += W::kCount) {
    open |= W::bits(inside_at<W>(first + i * W::kBytes, lo, span)) << i;
  }
  if (i == count) return open;
  i = count - W::kCount;  // the last register overlaps the one before: the same bits again
  return open | W::bits(inside_at<W>(first + i * W::kBytes, lo, span)) << i;
}

/// The place of the first hit in four registers that have one.
template <class W>
int first_of_four(const typename W::Hits (&hits)[4]) {
  int at = 0;
  for (const auto& hit : hits) {
    const std::uint64_t bits = W::bits(hit);
    if (bits != 0) return at + __builtin_ctzll(bits);
    at += W::kCount;
  }
  return at;
}

template <class W>
int first_open(const std::byte* first, int count, RawInterval interval) {
  const auto lo = W::splat(interval.lo), span = W::splat(interval.span);
  const auto at = [first](std::ptrdiff_t i) { return first + i * W::kBytes; };
  if (count < W::kCount) {
    const std::uint64_t open = few_inside<W>(first, count, lo, span);
    return open == 0 ? count : __builtin_ctzll(open);
  }
  int i = 0;
  for (; i + 4 * W::kCount <= count; i += 4 * W::kCount) {
    const typename W::Hits hits[4] = {inside_at<W>(at(i), lo, span), inside_at<W>(at(i + W::kCount), lo, span),
                                      inside_at<W>(at(i + 2 * W::kCount), lo, span),
                                      inside_at<W>(at(i + 3 * W::kCount), lo, span)};
    if (W::any(W::either(W::either(hits[0], hits[1]), W::either(hits[2], hits[3])))) return i + first_of_four<W>(hits);
  }
  while (i < count) {
    if (i + W::kCount > count) i = count - W::kCount;  // overlaps words that were no hits
    const std::uint64_t open = W::bits(inside_at<W>(at(i), lo, span));
    if (open != 0) return i + __builtin_ctzll(open);
    i += W::kCount;
  }
  return count;
}

template <class W>
int first_max_of_few(const std::byte* first, int n) {
  const auto keys = W::keys(W::load_few(first, n));
  const auto lowest = W::splat(std::uint32_t{1} << (8 * W::kBytes - 1));
  const auto best = W::greatest(W::first_or(keys, n, lowest));
  return __builtin_ctzll(W::bits(W::equal(keys, best)) & low_bits(n));
}

// Two passes: the greatest key, then its first place. The last register may overlap the one before it: neither the
// greatest key nor its first place change.
template <class W>
int first_max(const std::byte* first, int count) {
  if (count < W::kCount) return first_max_of_few<W>(first, count);
  const int last = count - W::kCount;
  const auto keys_at = [&](int i) { return W::keys(W::load(first + (i < last ? i : last) * W::kBytes)); };
  auto best = keys_at(0);
  for (int i = W::kCount; i < count; i += W::kCount) best = W::max(best, keys_at(i));
  best = W::greatest(best);
  for (int i = 0;; i += W::kCount) {
    const std::uint64_t equal = W::bits(W::equal(keys_at(i), best));
    if (equal != 0) return (i < last ? i : last) + __builtin_ctzll(equal);
  }
}

}  // namespace
}  // namespace tessera::boxdecode
