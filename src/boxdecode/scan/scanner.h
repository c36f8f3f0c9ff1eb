#pragma once
// The inner loops of scanning, one set per instruction set. They compare raw words as integers; no arithmetic, so every
// scanner gives the same bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu_features.h"
#include "boxdecode/raw_interval.h"

namespace tessera::boxdecode {

/// Which of `count` (1...64) elements, `step` bytes apart, lie in the interval: bit i for first + i * step. May read
/// the four bytes *ending* with an element, so at least three bytes before it must exist (in a combined head x, y, w
/// and h stand there), and nothing after it.
using SparseGate = std::uint64_t(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval);

/// The same for `count` (1...64) adjacent elements. Reads only these.
using DenseGate = std::uint64_t(const std::byte* first, int count, RawInterval interval);

/// Index of the first element with the greatest key among `count` >= 1 adjacent ones. Reads only these.
using FirstMax = int(const std::byte* first, int count);

struct ElementLoops {
  SparseGate* sparse_gate;
  DenseGate* dense_gate;
  FirstMax* first_max;
};

struct Scanner {
  const char* name;  ///< "avx512"
  Isa isa;
  ElementLoops f32, bf16, s8;
};

extern const Scanner kScalarScanner;
#if defined(TESSERA_X86)
extern const Scanner kAvx2Scanner, kAvx512Scanner;
#endif

std::span<const Scanner* const> scanners() noexcept;  ///< best first, scalar last

}  // namespace tessera::boxdecode
