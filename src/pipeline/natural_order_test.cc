#include "pipeline/natural_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera {
namespace {

TEST(NaturalOrder, NumbersCompareByValue) {
  const std::vector<std::string> expected{"",      "1.jpg",   "2.jpg",    "10.jpg",     "a",      "a1b2",
                                          "a1b10", "photo.p", "photo7.p", "photo007.p", "photo8", "photo20"};
  auto names = expected;
  std::reverse(names.begin(), names.end());
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return natural_less(a, b); });
  EXPECT_EQ(names, expected);
}

TEST(NaturalOrder, IsAStrictOrderOnAwkwardNames) {
  const std::vector<std::string> names{"",
                                       "0",
                                       "00",
                                       "000",
                                       "01",
                                       "1",
                                       "1a",
                                       "a0",
                                       "a00",
                                       "a0b",
                                       "a00b",
                                       "a1",
                                       "\xc3\xa9",
                                       "z",
                                       "a-1",
                                       "a99999999999999999999999",
                                       "a1000000000000000000000000"};
  for (const auto& a : names) {
    EXPECT_FALSE(natural_less(a, a)) << a;
    for (const auto& b : names) {
      if (a != b) {
        EXPECT_NE(natural_less(a, b), natural_less(b, a)) << a << " | " << b;
      }
      for (const auto& c : names) {
        if (natural_less(a, b) && natural_less(b, c)) {
          EXPECT_TRUE(natural_less(a, c)) << a << " | " << b << " | " << c;
        }
      }
    }
  }
}

TEST(NaturalOrder, DigitRunsOfAnyLength) {
  EXPECT_TRUE(natural_less("a99999999999999999999999", "a100000000000000000000000"));
}

}  // namespace
}  // namespace tessera
