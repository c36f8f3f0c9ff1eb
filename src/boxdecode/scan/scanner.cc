#include "boxdecode/scan/scanner.h"

#include "boxdecode/numbers.h"

namespace tessera::boxdecode {
namespace {

template <class E>
bool inside(typename E::Word word, RawInterval interval) noexcept {
  using Word = typename E::Word;
  return static_cast<Word>(word - static_cast<Word>(interval.lo)) <= static_cast<Word>(interval.span);
}

template <class E>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  std::uint64_t mask = 0;
  for (int i = 0; i < count; ++i) mask |= std::uint64_t{inside<E>(load<E>(first + i * step), interval)} << i;
  return mask;
}

template <class E>
std::uint64_t dense_gate(const std::byte* first, int count, RawInterval interval) {
  return sparse_gate<E>(first, sizeof(typename E::Word), count, interval);
}

template <class E>
int first_open(const std::byte* first, int count, RawInterval interval) {
  int i = 0;
  while (i < count && !inside<E>(load<E>(first + i * std::ptrdiff_t{sizeof(typename E::Word)}), interval)) ++i;
  return i;
}

template <class E>
int first_max(const std::byte* first, int count) {
  std::uint32_t best = 0;
  int index = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t k = key<E>(load<E>(first + static_cast<std::size_t>(i) * sizeof(typename E::Word)));
    if (k > best) {
      best = k;
      index = i;
    }
  }
  return index;
}

template <class E>
constexpr ElementLoops kLoops = {sparse_gate<E>, dense_gate<E>, first_open<E>, first_max<E>};

}  // namespace

constinit const Scanner kScalarScanner = {"scalar",   Isa::none,           kLoops<F32>,      kLoops<BF16>,
                                          kLoops<S8>, &kScalarBf16Stripes, &kScalarS8Stripes};

std::span<const Scanner* const> scanners() noexcept {
  static constexpr const Scanner* kScanners[] = {
#if defined(TESSERA_X86)
    &kAvx512Scanner,
    &kAvx2Scanner,
#endif
#if defined(TESSERA_NEON)
    &kNeonScanner,
#endif
    &kScalarScanner,
  };
  return kScanners;
}

}  // namespace tessera::boxdecode
