// The loops over blocked memory, every scanner: against the rules of the document where they can be written down in a
// line, against the scalar scanner elsewhere. Memory ends or begins at an inaccessible page.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "boxdecode/layout.h"
#include "boxdecode/numbers.h"
#include "boxdecode/read.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/scan_memory.h"

namespace tessera::boxdecode::testing {
namespace {

template <class E>
const StripeLoops& loops_of(const Scanner& scanner) {
  return std::is_same_v<E, BF16> ? *scanner.bf16_stripes : *scanner.s8_stripes;
}
template <class E>
constexpr std::size_t kGroup = kLanes * sizeof(typename E::Word);

template <class E>
void put(std::byte* group, int lane, std::uint32_t word) {
  group[lane] = static_cast<std::byte>(word);
  if constexpr (std::is_same_v<E, BF16>) group[lane + kLanes] = static_cast<std::byte>(word >> 8);
}
template <class E>
void put_all(std::byte* group, std::uint32_t word) {
  for (int lane = 0; lane < kLanes; ++lane) put<E>(group, lane, word);
}

std::uint32_t bound_of(std::uint32_t key) { return std::max(0x81u, 0x100u - (key >> 8)); }

// X3: what the bound closes lies below the cutoff, for every cutoff and every high byte; and it closes all it may.
TEST(BoxDecodeStripes, HighByteBoundExhaustively) {
  ScanMemory memory(256 * 32);
  std::byte* const groups = memory.place(256 * 32, true);
  for (std::uint32_t high = 0; high < 256; ++high) put_all<BF16>(groups + 32 * high, high << 8 | (high & 1 ? 0xFF : 0));
  long cases = 0;
  for (const Scanner* scanner : usable()) {
    for (std::uint32_t cutoff = 1; cutoff <= 0xFFFF; ++cutoff) {
      for (std::uint32_t from = 0; from < 256; from += 64) {
        const std::uint64_t open = scanner->bf16_stripes->open_groups(groups + 32 * from, 64, cutoff, kAllLanes);
        for (std::uint32_t high = from; high < from + 64; ++high) {
          const bool is_open = (open >> (high - from) & 1) != 0;
          ASSERT_EQ(is_open, high < bound_of(cutoff)) << scanner->name << std::hex << " " << high << " " << cutoff;
          if (is_open) continue;
          ASSERT_LT(key<BF16>(static_cast<std::uint16_t>(high << 8)) >> 8, cutoff >> 8) << std::hex << high << cutoff;
        }
        cases += 64;
      }
    }
  }
  report_cases("X3", cases);
}

constexpr std::uint32_t kHighBytes[] = {0x00, 0x01, 0x7F, 0x80, 0x81, 0xBF, 0xFF};

// Group i has one lane, i, that may be at or above the cutoff. Lanes that do not count would all be.
TEST(BoxDecodeStripes, OneLaneAroundTheBoundInEveryPosition) {
  ScanMemory memory(16 * 32);
  std::byte* const groups = memory.place(16 * 32, true);
  long cases = 0;
  for (const std::uint32_t cutoff_high : kHighBytes) {
    for (const std::uint32_t cutoff_low : {0x01u, 0x80u, 0xFFu}) {
      const std::uint32_t cutoff = cutoff_high << 8 | cutoff_low, bound = bound_of(cutoff);
      for (const std::uint32_t high : {bound - 1, std::min(bound, 0xFFu), 0x80u, 0xFFu, 0x00u}) {
        for (int active = 1; active <= 16; ++active) {
          const LaneMask lanes = (LaneMask{1} << active) - 1;
          std::uint64_t want = 0;
          for (int i = 0; i < 16; ++i) {
            for (int lane = 0; lane < 16; ++lane) put<BF16>(groups + 32 * i, lane, lane < active ? 0xFFFF : 0x7F7F);
            if (i < active) put<BF16>(groups + 32 * i, i, high << 8);
            const bool open = 0xFF < bound || (i < active && high < bound);
            want |= std::uint64_t{open} << i;
          }
          for (const Scanner* scanner : usable()) {
            ASSERT_EQ(scanner->bf16_stripes->open_groups(groups, 16, cutoff, lanes), want)
                << scanner->name << std::hex << " high " << high << " cutoff " << cutoff << " lanes " << lanes;
          }
          cases += 16;
        }
      }
    }
  }
  report_cases("9.3 stripes", cases);
}

// All bytes at the cuts of the document; 128 (nothing) is never asked of a loop.
TEST(BoxDecodeStripes, Int8EveryByteAtEveryCut) {
  ScanMemory memory(256 * 16);
  std::byte* const groups = memory.place(256 * 16, true);
  for (int active = 1; active <= 16; ++active) {
    const LaneMask lanes = (LaneMask{1} << active) - 1;
    for (int q = -128; q < 128; ++q) {
      std::byte* group = groups + 16 * (q + 128);
      for (int lane = 0; lane < 16; ++lane) put<S8>(group, lane, lane < active ? 0x80 : 0x7F);
      put<S8>(group, (q + 128) % active, static_cast<std::uint32_t>(q));
    }
    for (const int cut : {-128, -127, -1, 0, 1, 126, 127}) {
      for (const Scanner* scanner : usable()) {
        for (int from = 0; from < 256; from += 64) {
          const std::uint64_t open =
              scanner->s8_stripes->open_groups(groups + 16 * from, 64, static_cast<std::uint32_t>(cut + 128), lanes);
          for (int i = 0; i < 64; ++i) {
            ASSERT_EQ((open >> i & 1) != 0, from + i - 128 >= cut)
                << scanner->name << " " << from + i - 128 << " " << cut;
          }
        }
      }
    }
  }
}

template <class E>
void expect_first_of_ties(std::uint32_t low, std::uint32_t first, std::uint32_t second) {
  ScanMemory memory(kGroup<E>);
  std::byte* const group = memory.place(kGroup<E>, true);
  for (int i = 0; i < 16; ++i) {
    for (int j = i; j < 16; ++j) {
      // Lanes above j hold the greatest word of all, and do not count.
      put_all<E>(group, E::kSign - 1);
      for (int lane = 0; lane <= j; ++lane) put<E>(group, lane, low);
      put<E>(group, j, second);
      put<E>(group, i, first);
      const LaneMask lanes = (LaneMask{2} << j) - 1;
      for (const Scanner* scanner : usable()) {
        const StripeBest best = loops_of<E>(*scanner).best(group, lanes);
        const std::uint32_t k = key<E>(static_cast<typename E::Word>(first));
        const bool above = k > key<E>(static_cast<typename E::Word>(low));
        ASSERT_EQ(best.key, k) << scanner->name << std::hex << " " << first << " " << i << " " << j;
        ASSERT_EQ(best.lane, above ? i : 0) << scanner->name << std::hex << " " << first << " " << i << " " << j;
        const StripeBest alone = loops_of<E>(*scanner).best(group, LaneMask{1} << j);
        ASSERT_EQ(alone.lane, j) << scanner->name;
      }
    }
  }
}

TEST(BoxDecodeStripes, TheFirstOfEqualLanesWins) {
  for (std::uint32_t byte = 0; byte < 256; ++byte) expect_first_of_ties<S8>(0x80, byte, byte);
  for (std::uint32_t high = 0; high < 256; ++high) {
    const std::uint32_t word = high << 8 | (high * 7 & 0xFF);
    expect_first_of_ties<BF16>(0xFFFF, word, word);
  }
  expect_first_of_ties<BF16>(0xBF80, 0x8000, 0x0000);  // zeros are equal
  expect_first_of_ties<BF16>(0xBF80, 0x0000, 0x8000);
  expect_first_of_ties<BF16>(0x8001, 0x8000, 0x0000);
  expect_first_of_ties<BF16>(0x7FFE, 0x7FFF, 0x7FFF);
}

// Every word in every lane.
TEST(BoxDecodeStripes, KeysOfAllBf16Words) {
  ScanMemory memory(32);
  std::byte* const group = memory.place(32, true);
  for (const Scanner* scanner : usable()) {
    for (std::uint32_t word = 0; word < 0x10000; ++word) {
      const int lane = static_cast<int>(word % 16);
      put_all<BF16>(group, 0xFFFF);
      put<BF16>(group, lane, word);
      const std::uint32_t k = key<BF16>(static_cast<std::uint16_t>(word));
      const StripeBest best = scanner->bf16_stripes->best(group, kAllLanes);
      ASSERT_EQ(best.key, k) << scanner->name << std::hex << " " << word;
      ASSERT_EQ(best.lane, k == 0 ? 0 : lane) << scanner->name << std::hex << " " << word;
    }
  }
}

template <class E>
void expect_gates_agree(Choices& choices) {
  ScanMemory memory(64 * kGroup<E>);
  const StripeLoops& scalar = loops_of<E>(kScalarScanner);
  for (const Scanner* scanner : usable(false)) {
    const StripeLoops& simd = loops_of<E>(*scanner);
    for (int count = 1; count <= 64; ++count) {
      for (int round = 0; round < 64; ++round) {
        std::byte* groups = memory.place(static_cast<std::size_t>(count) * kGroup<E>, round % 2 == 0);
        fill(choices, groups, static_cast<std::size_t>(count) * kGroup<E>);
        const RawInterval in = scan_interval(choices, static_cast<int>(sizeof(typename E::Word)));
        const int lane = round % 16;
        ASSERT_EQ(simd.one_lane_gate(groups, lane, count, in), scalar.one_lane_gate(groups, lane, count, in))
            << scanner->name << " count " << count << " lane " << lane << std::hex << " " << in.lo << " " << in.span;
        const LaneMask lanes = choices.one_in(3) ? kAllLanes : choices.bits() & kAllLanes;
        ASSERT_EQ(simd.lane_gate(groups, in, lanes), scalar.lane_gate(groups, in, lanes)) << scanner->name;
        if (lanes == 0) continue;
        const StripeBest a = simd.best(groups, lanes), b = scalar.best(groups, lanes);
        ASSERT_TRUE(a.key == b.key && a.lane == b.lane) << scanner->name << std::hex << " " << lanes;
        const std::uint32_t least = key<E>(static_cast<typename E::Word>(scan_word(choices)));
        ASSERT_EQ(simd.open_groups(groups, count, least, lanes), scalar.open_groups(groups, count, least, lanes))
            << scanner->name << " count " << count << std::hex << " least " << least << " lanes " << lanes;
      }
    }
  }
}

TEST(BoxDecodeStripes, GatesAgree) {
  SeededChoices choices(2);
  SCOPED_TRACE(choices.where());
  expect_gates_agree<S8>(choices);
  expect_gates_agree<BF16>(choices);
}

/// Groups among which one in `rarity` is not background, with keys that earlier stripes left.
template <class E>
void fill_run(Choices& choices, std::byte* groups, int count, std::uint32_t rarity) {
  for (int i = 0; i < count; ++i) {
    put_all<E>(groups + static_cast<std::size_t>(i) * kGroup<E>, std::is_same_v<E, BF16> ? 0xC120 : 0x90);
    if (choices.one_in(rarity)) fill(choices, groups + static_cast<std::size_t>(i) * kGroup<E>, kGroup<E>);
  }
}

using Cells = std::array<std::uint16_t, 200>;

template <class E>
void expect_reductions_agree(Choices& choices) {
  ScanMemory memory(200 * kGroup<E>);
  for (int round = 0; round < 4'000; ++round) {
    const int count = choices.between(0, 200);
    std::byte* groups = memory.place(static_cast<std::size_t>(count) * kGroup<E>, round % 2 == 0);
    fill_run<E>(choices, groups, count, choices.pick({1u, 3u, 50u, 1000u}));
    const LaneMask lanes = choices.one_in(2) ? kAllLanes : (LaneMask{1} << choices.between(1, 16)) - 1;
    const std::uint32_t least = key<E>(static_cast<typename E::Word>(scan_word(choices)));
    Cells keys, classes, want_keys, want_classes;
    for (auto& k : keys) k = static_cast<std::uint16_t>(choices.one_in(2) ? 0 : choices.bits() & E::kKeyMask);
    classes.fill(0xABCD);
    want_keys = keys, want_classes = classes;
    const int first_class = 16 * choices.between(0, 63);
    loops_of<E>(kScalarScanner)
        .reduce(groups, count, least, lanes, first_class, {want_keys.data(), want_classes.data()});
    for (const Scanner* scanner : usable(false)) {
      Cells got_keys = keys, got_classes = classes;
      loops_of<E>(*scanner).reduce(groups, count, least, lanes, first_class, {got_keys.data(), got_classes.data()});
      ASSERT_EQ(got_keys, want_keys) << scanner->name << " count " << count << std::hex << " lanes " << lanes;
      ASSERT_EQ(got_classes, want_classes) << scanner->name << " count " << count << std::hex << " lanes " << lanes;
    }
  }
}

TEST(BoxDecodeStripes, ReductionsAgree) {
  SeededChoices choices(3);
  SCOPED_TRACE(choices.where());
  expect_reductions_agree<S8>(choices);
  expect_reductions_agree<BF16>(choices);
}

// Three stripes, one after another: the greatest key of all, the first class that has it; key 0 leaves no class.
TEST(BoxDecodeStripes, ReductionKeepsTheFirstOfEqualStripes) {
  for (const Scanner* scanner : usable()) {
    std::array<std::byte, 16> groups[3];
    for (auto& group : groups) put_all<S8>(group.data(), 0x80);
    std::uint16_t k = 0, class_id = 0xABCD;
    const auto reduce_all = [&] {
      k = 0, class_id = 0xABCD;
      for (int i = 0; i < 3; ++i)
        scanner->s8_stripes->reduce(groups[i].data(), 1, 0, kAllLanes, 16 * i, {&k, &class_id});
    };
    reduce_all();
    EXPECT_EQ(k, 0) << scanner->name;
    EXPECT_EQ(class_id, 0xABCD) << scanner->name;
    groups[1][5] = groups[2][0] = std::byte{0x05};
    reduce_all();
    EXPECT_EQ(k, 0x85) << scanner->name;
    EXPECT_EQ(class_id, 21) << scanner->name;
    groups[2][7] = std::byte{0x06};
    reduce_all();
    EXPECT_EQ(class_id, 39) << scanner->name;
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
