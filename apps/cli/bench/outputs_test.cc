#include "bench/outputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera::cli {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST(Difference, OfEqualBitsIsNone) {
  const Outputs values{{1, -2, kNan, kInf}, {0, -0.0f}};
  const Difference d = difference(values, values);
  EXPECT_TRUE(d.same_bits);
  EXPECT_EQ(d.absolute, 0);
  EXPECT_EQ(d.relative, 0);
  EXPECT_EQ(d.ulps, 0);
}

TEST(Difference, IsRelativeToItsOutputsLargestMagnitude) {
  const Difference d = difference({{1, -4}, {100, 50}}, {{1.5f, -4}, {100, 51}});
  EXPECT_FALSE(d.same_bits);
  EXPECT_EQ(d.absolute, 1);
  EXPECT_EQ(d.relative, 0.125);  // 0.5 of 4, more than 1 of 100
}

TEST(Difference, CountsFloatsBetween) {
  EXPECT_EQ(difference({{1}}, {{std::nextafter(1.0f, 2.0f)}}).ulps, 1);
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(difference({{least}}, {{-least}}).ulps, 2);
  const Difference zeros = difference({{0.0f}}, {{-0.0f}});
  EXPECT_FALSE(zeros.same_bits);
  EXPECT_EQ(zeros.ulps, 0);
  EXPECT_EQ(zeros.absolute, 0);
}

TEST(Difference, OfANanOrAnInfinityOnOneSideIsInfinite) {
  EXPECT_TRUE(std::isinf(difference({{1}}, {{kNan}}).relative));
  EXPECT_TRUE(std::isinf(difference({{kNan, 1}}, {{1, 1}}).relative));
  EXPECT_TRUE(std::isinf(difference({{kInf, 1}}, {{-kInf, 1}}).relative));
  EXPECT_TRUE(std::isinf(difference({{0}}, {{1e-30f}}).relative));  // nothing to be relative to
}

}  // namespace
}  // namespace tessera::cli
