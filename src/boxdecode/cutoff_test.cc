#include "boxdecode/cutoff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "boxdecode/numbers.h"
#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode {
namespace {

constexpr auto kIdentity = ScoreActivation::Identity;
constexpr auto kSigmoid = ScoreActivation::Sigmoid;
constexpr ScoreActivation kActivations[] = {kIdentity, kSigmoid};

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

template <class E>
bool admitted(std::uint32_t word, ScoreActivation activation, float threshold, Quant quant) {
  const float s = activate(activation, E::value(static_cast<typename E::Word>(word), quant));
  return std::isfinite(s) && s >= threshold;
}

template <class E>
bool inside(std::uint32_t word, RawInterval interval) {
  using Word = typename E::Word;
  return static_cast<Word>(word - interval.lo) <= static_cast<Word>(interval.span);
}

/// Zero, the smallest subnormal, usual ones with their neighbours, and a sweep.
std::vector<float> thresholds() {
  std::vector<float> out = {0.0f,
                            from_bits(1),
                            from_bits(0x000116C2),
                            1e-30f,
                            0.001f,
                            0.25f,
                            0.45f,
                            from_bits(0x3EFFFFFF),
                            0.5f,
                            from_bits(0x3F000001),
                            0.75f,
                            0.9f,
                            0.999f,
                            from_bits(0x3F7FFFFF)};
  for (int i = 1; i < 32; ++i) out.push_back(static_cast<float>(i) / 32.0f);
  return out;
}

TEST(BoxDecodeCutoff, Bf16TableOfTheDocument) {
  const struct {
    ScoreActivation activation;
    float t;
    std::uint32_t key, lo, hi;
  } rows[] = {{kSigmoid, 0.0f, 0x007F, 0x0000, 0xFF80},   {kSigmoid, 0.001f, 0x3F22, 0x0000, 0xC0DD},
              {kSigmoid, 0.25f, 0x4073, 0x0000, 0xBF8C},  {kSigmoid, 0.45f, 0x41B2, 0x0000, 0xBE4D},
              {kSigmoid, 0.5f, 0x4C7F, 0x0000, 0xB380},   {kSigmoid, 0.75f, 0xBF8D, 0x3F8D, 0x7FFF},
              {kSigmoid, 0.9f, 0xC00D, 0x400D, 0x7FFF},   {kSigmoid, from_bits(0x3F7FFFFF), 0xC182, 0x4182, 0x7FFF},
              {kIdentity, 0.0f, 0x8000, 0x0000, 0x8000},  {kIdentity, from_bits(0x000116C2), 0x8002, 0x0002, 0x7FFF},
              {kIdentity, 0.45f, 0xBEE7, 0x3EE7, 0x7FFF}, {kIdentity, 0.5f, 0xBF00, 0x3F00, 0x7FFF},
              {kIdentity, 0.999f, 0xBF80, 0x3F80, 0x7FFF}};
  for (const auto& row : rows) {
    const Cutoff cutoff = find_cutoff<BF16>(row.activation, row.t, {});
    EXPECT_EQ(cutoff.key, row.key) << row.t;
    EXPECT_EQ(cutoff.interval.lo, row.lo) << row.t;
    EXPECT_EQ(cutoff.interval.lo + cutoff.interval.span, row.hi) << row.t;
    EXPECT_FALSE(cutoff.reject_all);
  }
}

// Gate and final check together equal the final check alone, and the cutoff is the lowest admitted key: every word.
TEST(BoxDecodeCutoff, Bf16EqualsBruteForceOverAllWords) {
  for (const ScoreActivation activation : kActivations) {
    for (const float t : thresholds()) {
      const Cutoff cutoff = find_cutoff<BF16>(activation, t, {});
      std::uint32_t lowest = 0x10000;
      for (std::uint32_t word = 0; word < 0x10000; ++word) {
        const std::uint32_t k = key<BF16>(static_cast<BF16::Word>(word));
        const bool gate = inside<BF16>(word, cutoff.interval);
        ASSERT_EQ(gate, k >= cutoff.key) << std::hex << word << " T " << t;
        if (!admitted<BF16>(word, activation, t, {})) continue;
        ASSERT_TRUE(gate) << std::hex << word << " T " << t;
        lowest = std::min(lowest, k);
      }
      EXPECT_EQ(cutoff.key, lowest) << t;
    }
  }
}

// Float keys: 2^16 words around the cutoff by brute force, and agreement with the bf16 cutoff found above.
TEST(BoxDecodeCutoff, Float32EqualsBruteForceAroundTheCutoff) {
  for (const ScoreActivation activation : kActivations) {
    for (const float t : thresholds()) {
      const Cutoff cutoff = find_cutoff<F32>(activation, t, {});
      for (std::int64_t offset = -0x8000; offset < 0x8000; ++offset) {
        const std::int64_t k = std::int64_t{cutoff.key} + offset;
        if (k < 0 || k > 0xFFFFFFFF || k == 0x7FFFFFFF) continue;
        const std::uint32_t word = word_of<F32>(static_cast<std::uint32_t>(k));
        ASSERT_EQ(key<F32>(word), k);
        const bool at_or_above = offset >= 0;
        ASSERT_EQ(inside<F32>(word, cutoff.interval), at_or_above) << std::hex << word;
        const float s = activate(activation, F32::value(word, {}));
        if (std::isfinite(s)) {
          ASSERT_EQ(s >= t, at_or_above) << std::hex << word << " T " << t;
        }
      }
      const Cutoff coarse = find_cutoff<BF16>(activation, t, {});
      const std::uint32_t first_bf16 = key<F32>(std::uint32_t{word_of<BF16>(coarse.key)} << 16);
      const std::uint32_t previous = coarse.key == 0x8000 ? 0x7FFE : coarse.key - 1;
      EXPECT_LE(cutoff.key, first_bf16) << t;
      EXPECT_GT(cutoff.key, key<F32>(std::uint32_t{word_of<BF16>(previous)} << 16)) << t;
    }
  }
}

TEST(BoxDecodeCutoff, Float32IntervalHoldsTheEndsOfTheLine) {
  const Cutoff cutoff = find_cutoff<F32>(kSigmoid, 0.25f, {});
  for (const std::uint32_t word : {0x7F800000u, 0x7FC00000u, 0x7FFFFFFFu, 0x00000000u, 0x80000000u, 0x3F800000u}) {
    EXPECT_TRUE(inside<F32>(word, cutoff.interval)) << std::hex << word;
  }
  for (const std::uint32_t word : {0xFF800000u, 0xFFC00000u, 0xFFFFFFFFu, 0xC0000000u}) {
    EXPECT_FALSE(inside<F32>(word, cutoff.interval)) << std::hex << word;
  }
}

int int8_cut(ScoreActivation activation, float t, float scale, int zero_point) {
  return static_cast<int>(find_cutoff<S8>(activation, t, {scale, zero_point}).key) - 128;
}

TEST(BoxDecodeCutoff, Int8TableOfTheDocument) {
  EXPECT_EQ(int8_cut(kSigmoid, 0.25f, 0.1f, 0), -10);
  EXPECT_EQ(int8_cut(kSigmoid, 0.5f, 0.0625f, -10), -10);  // value 0: inclusive
  EXPECT_EQ(int8_cut(kSigmoid, 0.001f, 0.125f, 20), -35);
  EXPECT_EQ(int8_cut(kSigmoid, 0.0f, 0.1f, 0), -128);
  EXPECT_EQ(int8_cut(kIdentity, 0.0f, 0.00390625f, -128), -128);
  EXPECT_EQ(int8_cut(kIdentity, 0.25f, 0.00390625f, -128), -64);
  EXPECT_EQ(int8_cut(kIdentity, 0.5f, 0.001f, 0), 128);
  EXPECT_EQ(int8_cut(kIdentity, 0.5f, 0.1f, 127), 128);
  EXPECT_EQ(int8_cut(kIdentity, 0.0f, 0.5f, 127), 127);
  EXPECT_EQ(int8_cut(kSigmoid, 0.9f, 0.25f, 127), 128);
}

TEST(BoxDecodeCutoff, Int8EqualsBruteForce) {
  int admit_all_seen = 0, reject_all_seen = 0;
  long cases = 0;
  for (const float scale : {1e-38f, 1e-6f, 0.001f, 0.00390625f, 0.0625f, 0.1f, 0.3f, 2.0f, 100.0f, 1e36f}) {
    for (int zero_point = -128; zero_point <= 127; zero_point += zero_point == 120 ? 7 : 8) {
      for (const ScoreActivation activation : kActivations) {
        for (const float t : {0.0f, 0.001f, 0.25f, 0.5f, from_bits(0x3F000001), 0.9f, from_bits(0x3F7FFFFF)}) {
          const Cutoff cutoff = find_cutoff<S8>(activation, t, {scale, zero_point});
          int lowest = 128;
          for (int q = 127; q >= -128; --q) {
            if (admitted<S8>(static_cast<std::uint32_t>(q), activation, t, {scale, zero_point})) lowest = q;
          }
          ASSERT_EQ(static_cast<int>(cutoff.key) - 128, lowest) << scale << " " << zero_point << " " << t;
          ASSERT_EQ(cutoff.reject_all, lowest == 128);
          cases += 256;
          reject_all_seen += cutoff.reject_all;
          admit_all_seen += lowest == -128;
          for (int q = -128; q <= 127 && !cutoff.reject_all; ++q) {
            ASSERT_EQ(inside<S8>(static_cast<std::uint32_t>(q), cutoff.interval), q >= lowest);
          }
        }
      }
    }
  }
  EXPECT_GT(admit_all_seen, 0);
  EXPECT_GT(reject_all_seen, 0);
  testing::report_cases("X2", cases);
}

// Objectness words BFC0, BFA0, BF90 have keys 403F, 405F, 406F: below the cutoff 4073 of Sigmoid 0.25; BF8C reaches it.
TEST(BoxDecodeCutoff, BackgroundGateExample) {
  const Cutoff cutoff = find_cutoff<BF16>(kSigmoid, 0.25f, {});
  EXPECT_EQ(cutoff.key, 0x4073u);
  EXPECT_EQ(key<BF16>(0xBFC0), 0x403Fu);
  for (const std::uint32_t word : {0xBFC0u, 0xBFA0u, 0xBF90u}) EXPECT_FALSE(inside<BF16>(word, cutoff.interval));
  EXPECT_TRUE(inside<BF16>(0xBF8C, cutoff.interval));
}

}  // namespace
}  // namespace tessera::boxdecode
