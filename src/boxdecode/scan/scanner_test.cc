// Every scanner equals the scalar one, on every element type, at every length.

#include "boxdecode/scan/scanner.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "boxdecode/numbers.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode {
namespace {

using testing::SeededChoices;

struct Element {
  const char* name;
  int bytes;
  ElementLoops Scanner::*loops;
};
constexpr Element kElements[] = {{"f32", 4, &Scanner::f32}, {"bf16", 2, &Scanner::bf16}, {"s8", 1, &Scanner::s8}};

/// Few distinct words, so that ties and exact hits of interval ends are common.
std::uint32_t word(SeededChoices& choices) {
  static constexpr std::uint32_t kWords[] = {0,           0x80808080u, 0x80000000u, 0x80008000u, 0xFFFFFFFFu,
                                             0x7FFF7FFFu, 0x7F7F7F7Fu, 0x7F807F80u, 0xFF80FF80u, 0x81818181u,
                                             1,           0x01010101u, 0xFF81FF81u};
  return choices.one_in(3) ? choices.bits() : choices.pick(kWords);
}

RawInterval interval(SeededChoices& choices, int bytes) {
  const std::uint32_t mask = bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1;
  if (choices.one_in(8)) return {0, mask};
  return {word(choices) & mask, word(choices) & mask};
}

std::vector<const Scanner*> simd_scanners() {
  std::vector<const Scanner*> out;
  const CpuInfo cpu = CpuInfo::detect();
  for (const Scanner* scanner : scanners()) {
    if (scanner == &kScalarScanner) continue;
    if (cpu.supports(scanner->isa)) {
      out.push_back(scanner);
    } else {
      std::printf("skipped %s: this processor lacks it\n", scanner->name);
    }
  }
  return out;
}

/// Memory that ends exactly after the last element: the sanitizer build sees any read beyond.
std::vector<std::byte> memory(SeededChoices& choices, std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  for (std::size_t i = 0; i < bytes; i += 4) {
    const std::uint32_t w = word(choices);
    std::memcpy(out.data() + i, &w, std::min<std::size_t>(4, bytes - i));
  }
  return out;
}

TEST(BoxDecodeScanner, ScalarIsListedLast) { EXPECT_EQ(scanners().back(), &kScalarScanner); }

TEST(BoxDecodeScanner, SparseGatesAgree) {
  SeededChoices choices;
  SCOPED_TRACE(choices.where());
  for (const Scanner* scanner : simd_scanners()) {
    for (const Element& element : kElements) {
      for (int count = 1; count <= 64; ++count) {
        for (int round = 0; round < 20; ++round) {
          const int step = element.bytes * choices.between(1, 1024);
          const auto bytes = memory(choices, static_cast<std::size_t>(4 + (count - 1) * step + element.bytes));
          const RawInterval in = interval(choices, element.bytes);
          const std::byte* first = bytes.data() + 4;
          ASSERT_EQ((scanner->*element.loops).sparse_gate(first, step, count, in),
                    (kScalarScanner.*element.loops).sparse_gate(first, step, count, in))
              << scanner->name << " " << element.name << " count " << count << " step " << step;
        }
      }
    }
  }
}

TEST(BoxDecodeScanner, DenseGatesAndFirstMaximaAgree) {
  SeededChoices choices(1);
  SCOPED_TRACE(choices.where());
  for (const Scanner* scanner : simd_scanners()) {
    for (const Element& element : kElements) {
      const ElementLoops &simd = scanner->*element.loops, &scalar = kScalarScanner.*element.loops;
      for (int count = 1; count <= 340; ++count) {
        for (int round = 0; round < 20; ++round) {
          const auto bytes = memory(choices, static_cast<std::size_t>(count * element.bytes));
          ASSERT_EQ(simd.first_max(bytes.data(), count), scalar.first_max(bytes.data(), count))
              << scanner->name << " " << element.name << " count " << count;
          if (count > 64) continue;
          const RawInterval in = interval(choices, element.bytes);
          ASSERT_EQ(simd.dense_gate(bytes.data(), count, in), scalar.dense_gate(bytes.data(), count, in))
              << scanner->name << " " << element.name << " count " << count;
        }
      }
    }
  }
}

// The first of equals wins; both zeros are equal; NaN without sign is above all, with sign below all.
TEST(BoxDecodeScanner, FirstMaximumFollowsTheKeyOrder) {
  const auto first_max = [](std::vector<std::uint32_t> words) {
    return kScalarScanner.f32.first_max(reinterpret_cast<const std::byte*>(words.data()),
                                        static_cast<int>(words.size()));
  };
  EXPECT_EQ(first_max({0x80000000, 0x00000000}), 0);
  EXPECT_EQ(first_max({0xBF800000, 0x80000000, 0x00000000}), 1);
  EXPECT_EQ(first_max({0x3F800000, 0x3F800000}), 0);
  EXPECT_EQ(first_max({0x7F800000, 0x7FC00000}), 1);
  EXPECT_EQ(first_max({0xFFC00000, 0xFF800000}), 1);
  EXPECT_EQ(first_max({0xFFFFFFFF, 0xFFFFFFFF}), 0);
  EXPECT_EQ(first_max({0x41A00000, 0, 0, 0, 0, 0x41F00000}), 5);  // 20 and 30 both activate to 1
}

}  // namespace
}  // namespace tessera::boxdecode
