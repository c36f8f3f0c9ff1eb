#include "boxdecode/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace tessera::boxdecode {
namespace {

std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }
float bf16(std::uint32_t word) { return BF16::value(static_cast<BF16::Word>(word), {}); }

TEST(BoxDecodeNumbers, SigmoidHasTheDocumentedBits) {
  const struct {
    float x;
    std::uint32_t want;
  } rows[] = {{-1.0f, 0x3E89B2B1}, {-0.5f, 0x3EC14D03}, {0.5f, 0x3F1F597F}, {1.0f, 0x3F3B26A8},
              {1.5f, 0x3F514C90},  {2.0f, 0x3F617BEB},  {3.0f, 0x3F73DBE6}, {8.0f, 0x3F7FEA06}};
  for (const auto& row : rows) EXPECT_EQ(bits(sigmoid(row.x)), row.want) << row.x;
}

TEST(BoxDecodeNumbers, SigmoidSaturatesWhereDocumented) {
  EXPECT_EQ(sigmoid(bf16(0x418B)), 1.0f);  // 17.375
  EXPECT_LT(sigmoid(bf16(0x418A)), 1.0f);
  EXPECT_EQ(sigmoid(bf16(0xC2D0)), 0.0f);  // -104
  EXPECT_GT(sigmoid(bf16(0xC2CF)), 0.0f);
  EXPECT_EQ(sigmoid(std::numeric_limits<float>::infinity()), 1.0f);
  EXPECT_EQ(sigmoid(-std::numeric_limits<float>::infinity()), 0.0f);
}

TEST(BoxDecodeNumbers, Bf16KeysAreThoseOfTheTable) {
  const struct {
    std::uint16_t word;
    std::uint32_t want;
  } rows[] = {{0xFFFF, 0x0000}, {0xFF81, 0x007E}, {0xFF80, 0x007F}, {0xFF7F, 0x0080}, {0xBF80, 0x407F},
              {0x8001, 0x7FFE}, {0x8000, 0x8000}, {0x0000, 0x8000}, {0x0001, 0x8001}, {0x3F80, 0xBF80},
              {0x7F7F, 0xFF7F}, {0x7F80, 0xFF80}, {0x7F81, 0xFF81}, {0x7FFF, 0xFFFF}};
  for (const auto& row : rows) EXPECT_EQ(key<BF16>(row.word), row.want) << std::hex << row.word;
}

TEST(BoxDecodeNumbers, KeysOrderAsValuesDo) {
  for (std::uint32_t word = 0; word < 0x10000; ++word) {
    const auto w = static_cast<BF16::Word>(word);
    const std::uint32_t k = key<BF16>(w);
    EXPECT_NE(k, 0x7FFFu);
    if (word != 0x8000) {
      EXPECT_EQ(word_of<BF16>(k), w);
    }
    // A bf16 word is the top half of a float: the float key of the widened word is the widened key.
    const std::uint32_t wide = key<F32>(word << 16);
    EXPECT_EQ(wide >> 16, k);
    if (k == 0 || k == 0xFFFF || std::isnan(bf16(word))) continue;
    const std::uint32_t below = k - 1 == 0x7FFF ? 0x7FFE : k - 1;
    const float lower = BF16::value(word_of<BF16>(below), {});
    if (!std::isnan(lower)) {
      EXPECT_LT(lower, bf16(word));
    }
  }
}

TEST(BoxDecodeNumbers, Int8KeysAndValues) {
  for (int q = -128; q <= 127; ++q) {
    const auto word = static_cast<S8::Word>(q);
    EXPECT_EQ(key<S8>(word), static_cast<std::uint32_t>(q + 128));
    EXPECT_EQ(word_of<S8>(key<S8>(word)), word);
    EXPECT_EQ(S8::value(word, {0.08f, -12}), static_cast<float>(q + 12) * 0.08f);
  }
}

TEST(BoxDecodeNumbers, ZerosBecomePositive) {
  EXPECT_EQ(bits(positive_zero(-0.0f)), 0u);
  EXPECT_EQ(bits(positive_zero(0.0f)), 0u);
  EXPECT_EQ(positive_zero(-1.0f), -1.0f);
  EXPECT_TRUE(std::isnan(positive_zero(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace tessera::boxdecode
