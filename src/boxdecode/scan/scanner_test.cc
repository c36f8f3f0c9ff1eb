// Every scanner equals the scalar one over dense memory, on every element type, at every length, and reads nothing
// else.

#include "boxdecode/scan/scanner.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "boxdecode/numbers.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/scan_memory.h"

namespace tessera::boxdecode::testing {
namespace {

struct Element {
  const char* name;
  int bytes;
  ElementLoops Scanner::*loops;
};
constexpr Element kElements[] = {{"f32", 4, &Scanner::f32}, {"bf16", 2, &Scanner::bf16}, {"s8", 1, &Scanner::s8}};

std::size_t size(int bytes) { return static_cast<std::size_t>(bytes); }

TEST(BoxDecodeScanner, ScalarIsListedLast) {
  EXPECT_EQ(scanners().back(), &kScalarScanner);
  for (const Scanner* scanner : scanners()) {
    const bool runs = CpuInfo::detect().supports(scanner->isa);
    std::printf("[ scanner  ] %s%s\n", scanner->name, runs ? "" : ": skipped, this processor lacks it");
  }
}

TEST(BoxDecodeScanner, SparseGatesAgree) {
  SeededChoices choices;
  SCOPED_TRACE(choices.where());
  ScanMemory memory(70'000);
  std::byte* const whole = memory.place(70'000, true);
  fill(choices, whole, 70'000);
  long cases = 0;
  for (const Scanner* scanner : usable(false)) {
    for (const Element& element : kElements) {
      for (int count = 1; count <= 64; ++count) {
        for (int round = 0; round < 20; ++round, ++cases) {
          const int step = element.bytes * choices.between(1, 1024 / element.bytes);
          // What a gate may read ends with the last element and begins three bytes before the first one.
          const std::byte* first = memory.place(size((count - 1) * step + element.bytes), true);
          const RawInterval in = scan_interval(choices, element.bytes);
          ASSERT_EQ((scanner->*element.loops).sparse_gate(first, step, count, in),
                    (kScalarScanner.*element.loops).sparse_gate(first, step, count, in))
              << scanner->name << " " << element.name << " count " << count << " step " << step;
        }
      }
    }
  }
  report_cases("sparse gates", usable(false).empty() ? 1 : cases);
}

TEST(BoxDecodeScanner, DenseLoopsAgree) {
  SeededChoices choices(1);
  SCOPED_TRACE(choices.where());
  ScanMemory memory(4 * 340);
  long cases = 0;
  for (const Scanner* scanner : usable(false)) {
    for (const Element& element : kElements) {
      const ElementLoops &simd = scanner->*element.loops, &scalar = kScalarScanner.*element.loops;
      for (int count = 1; count <= 340; ++count) {
        for (int round = 0; round < 20; ++round, ++cases) {
          std::byte* first = memory.place(size(count * element.bytes), round % 2 == 0);
          fill(choices, first, size(count * element.bytes));
          const RawInterval in = scan_interval(choices, element.bytes);
          ASSERT_EQ(simd.first_max(first, count), scalar.first_max(first, count))
              << scanner->name << " " << element.name << " count " << count;
          ASSERT_EQ(simd.first_open(first, count, in), scalar.first_open(first, count, in))
              << scanner->name << " " << element.name << " count " << count;
          if (count > 64) continue;
          ASSERT_EQ(simd.dense_gate(first, count, in), scalar.dense_gate(first, count, in))
              << scanner->name << " " << element.name << " count " << count;
        }
      }
    }
  }
  report_cases("dense loops", usable(false).empty() ? 1 : cases);
}

// One hit, or one greatest word, at every place of every length: what lies before and after it is skipped, no more.
TEST(BoxDecodeScanner, FindsTheOnlyOneWhereverItIs) {
  ScanMemory memory(4 * 330);
  for (const Scanner* scanner : usable()) {
    for (const Element& element : kElements) {
      const ElementLoops& loops = scanner->*element.loops;
      for (int count = 1; count <= 330; count += count < 70 ? 1 : 13) {
        std::byte* first = memory.place(size(count * element.bytes), true);
        std::memset(first, 0x20, size(count * element.bytes));
        const RawInterval in = {0x21212121u, 0};
        ASSERT_EQ(loops.first_open(first, count, in), count) << scanner->name << " " << element.name;
        ASSERT_EQ(loops.first_open(first, 0, in), 0);
        for (int at = 0; at < count; ++at) {
          std::memset(first + at * element.bytes, 0x21, size(element.bytes));
          ASSERT_EQ(loops.first_open(first, count, in), at) << scanner->name << " " << element.name << " of " << count;
          ASSERT_EQ(loops.first_max(first, count), at) << scanner->name << " " << element.name << " of " << count;
          std::memset(first + at * element.bytes, 0x20, size(element.bytes));
        }
      }
    }
  }
}

// All 65,536 words, in the order of their words and of their keys.
TEST(BoxDecodeScanner, Bf16KeysOrderEveryTwoNeighbours) {
  for (const Scanner* scanner : usable()) {
    for (std::uint32_t word = 0; word < 0x10000; ++word) {
      const std::uint32_t k = key<BF16>(static_cast<std::uint16_t>(word));
      const std::uint16_t above = word_of<BF16>(k < 0xFFFF ? k + 1 : k);
      std::uint16_t pair[] = {static_cast<std::uint16_t>(word), above};
      const int want = key<BF16>(above) > k ? 1 : 0;
      ASSERT_EQ(scanner->bf16.first_max(reinterpret_cast<const std::byte*>(pair), 2), want) << scanner->name << word;
      std::swap(pair[0], pair[1]);
      ASSERT_EQ(scanner->bf16.first_max(reinterpret_cast<const std::byte*>(pair), 2), 0) << scanner->name << word;
    }
  }
}

// The first of equals wins; both zeros are equal; NaN without sign is above all, with sign below all.
TEST(BoxDecodeScanner, FirstMaximumFollowsTheKeyOrder) {
  for (const Scanner* scanner : usable()) {
    const auto first_max = [scanner](std::vector<std::uint32_t> words) {
      return scanner->f32.first_max(reinterpret_cast<const std::byte*>(words.data()), static_cast<int>(words.size()));
    };
    EXPECT_EQ(first_max({0x80000000, 0x00000000}), 0);
    EXPECT_EQ(first_max({0xBF800000, 0x80000000, 0x00000000}), 1);
    EXPECT_EQ(first_max({0x3F800000, 0x3F800000}), 0);
    EXPECT_EQ(first_max({0x7F800000, 0x7FC00000}), 1);
    EXPECT_EQ(first_max({0xFFC00000, 0xFF800000}), 1);
    EXPECT_EQ(first_max({0xFFFFFFFF, 0xFFFFFFFF}), 0);
    EXPECT_EQ(first_max({0x41A00000, 0, 0, 0, 0, 0x41F00000}), 5);  // 20 and 30 both activate to 1
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
