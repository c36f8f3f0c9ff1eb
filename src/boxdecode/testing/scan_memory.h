#pragma once
// What the tests of the scanners' loops share: who is tested, memory that no loop may leave, words that meet.

#include <cstring>
#include <vector>

#include "boxdecode/scan/scanner.h"
#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/guarded.h"

namespace tessera::boxdecode::testing {

/// Those that this processor can run.
inline std::vector<const Scanner*> usable(bool with_scalar = true) {
  static const CpuInfo cpu = CpuInfo::detect();
  std::vector<const Scanner*> out;
  for (const Scanner* scanner : scanners()) {
    if (cpu.supports(scanner->isa) && (with_scalar || scanner != &kScalarScanner)) out.push_back(scanner);
  }
  return out;
}

/// Up to `most` bytes between inaccessible pages: once ending at one, once beginning after one.
class ScanMemory {
 public:
  explicit ScanMemory(std::size_t most) : first_(most, 1, false), last_(most, 1, true) {}
  /// The last `bytes` bytes before an inaccessible page, or the first ones after one.
  std::byte* place(std::size_t bytes, bool at_end) {
    return at_end ? last_.bytes().data() + last_.bytes().size() - bytes : first_.bytes().data();
  }

 private:
  Guarded first_, last_;
};

/// Few distinct words, so that ties and exact hits of interval ends are common.
inline std::uint32_t scan_word(Choices& choices) {
  static constexpr std::uint32_t kWords[] = {0,           0x80808080u, 0x80000000u, 0x80008000u, 0xFFFFFFFFu,
                                             0x7FFF7FFFu, 0x7F7F7F7Fu, 0x7F807F80u, 0xFF80FF80u, 0x81818181u,
                                             1,           0x01010101u, 0xFF81FF81u};
  return choices.one_in(3) ? choices.bits() : choices.pick(kWords);
}

/// Any interval of words of so many bytes, wrapping ones too.
inline RawInterval scan_interval(Choices& choices, int bytes) {
  const std::uint32_t mask = bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1;
  if (choices.one_in(8)) return {0, mask};
  return {scan_word(choices) & mask, scan_word(choices) & mask};
}

inline void fill(Choices& choices, std::byte* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 4) {
    const std::uint32_t w = scan_word(choices);
    std::memcpy(at + i, &w, bytes - i < 4 ? bytes - i : 4);
  }
}

}  // namespace tessera::boxdecode::testing
