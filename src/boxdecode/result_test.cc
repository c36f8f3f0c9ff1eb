#include <gtest/gtest.h>
#include <tessera/boxdecode/result.h>

#include <memory>
#include <string>

namespace tessera::boxdecode {
namespace {

const Error kError{ErrorCode::InvalidCapacity, 3, "max_detections", "set it", 0};

Result<std::string> word(bool good) noexcept {
  if (!good) return kError;
  return "yes";
}
Status done(bool good) noexcept {
  if (!good) return kError;
  return {};
}

TEST(BoxDecodeResult, HoldsAValue) {
  auto result = word(true);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(result);
  EXPECT_EQ(*result, "yes");
  EXPECT_EQ(result->size(), 3u);
  result->push_back('!');
  const auto& constant = result;
  EXPECT_EQ(*constant, "yes!");
  EXPECT_EQ(constant->size(), 4u);
  EXPECT_EQ(constant.value(), "yes!");
  EXPECT_EQ(std::move(result).value(), "yes!");
}

TEST(BoxDecodeResult, HoldsAnError) {
  const auto result = word(false);
  EXPECT_FALSE(result.has_value());
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidCapacity);
  EXPECT_EQ(result.error().index, 3);
  EXPECT_EQ(to_string(result.error()), "InvalidCapacity: max_detections [3] is 0: set it");
}

TEST(BoxDecodeResult, OfNothing) {
  EXPECT_TRUE(done(true));
  done(true).value();
  EXPECT_FALSE(done(false));
  EXPECT_EQ(done(false).error().index, 3);
}

TEST(BoxDecodeResult, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 7);
  static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
  static_assert(std::is_nothrow_move_constructible_v<Result<std::unique_ptr<int>>>);
  static_assert(!std::is_convertible_v<Result<int>, bool>);
}

TEST(BoxDecodeResultDeathTest, ValueOfAnErrorAborts) {
  EXPECT_DEATH((void)word(false).value(), "");
  EXPECT_DEATH(done(false).value(), "");
}

}  // namespace
}  // namespace tessera::boxdecode
