#include <gtest/gtest.h>
#include <tessera/result.h>

#include <memory>

#include "base/checked.h"
#include "base/text.h"

namespace tessera {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{Code::invalid_argument, text("n is ", n, ": want an even number")};
  return n / 2;
}
Status both_even(int a, int b) {
  TESSERA_TRY(half(a));
  TESSERA_TRY(half(b));
  return {};
}

TEST(Result, HoldsValueOrError) {
  EXPECT_EQ(half(8).value(), 4);
  ASSERT_FALSE(half(7).has_value());
  EXPECT_EQ(half(7).error().message, "n is 7: want an even number");
  EXPECT_STREQ(to_string(half(7).error().code), "invalid_argument");
}

TEST(Result, MoveOnlyValues) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(3); };
  auto result = make();
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(**result, 3);
}

TEST(Result, TryLeavesWithTheFirstError) {
  EXPECT_TRUE(both_even(2, 4).has_value());
  EXPECT_EQ(both_even(2, 5).error().message, "n is 5: want an even number");
  EXPECT_EQ(both_even(3, 5).error().message, "n is 3: want an even number");
}

TEST(Checked, OverflowIsSeen) {
  EXPECT_EQ(checked_mul(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_mul(2, 3, 4), 24);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
}

TEST(Text, JoinsPartsWithoutTheLocale) { EXPECT_EQ(text("a", 'b', 1.5, -3, true, std::string("z")), "ab1.5-3truez"); }

}  // namespace
}  // namespace tessera
