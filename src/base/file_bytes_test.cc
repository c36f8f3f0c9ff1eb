#include "base/file_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/test_pages.h"
#include "base/text.h"

namespace tessera {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;

/// A file of kBytes, gone with the end of the test.
class FileBytesTest : public ::testing::Test {
 protected:
  FileBytesTest() : path_(std::filesystem::temp_directory_path() / text("tessera_file_bytes_test_", ::getpid())) {
    std::ofstream(path_, std::ios::binary) << std::string(kBytes, 'x');
  }
  ~FileBytesTest() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

bool all_x(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{'x'}; });
}

TEST_F(FileBytesTest, WhatIsHeldOutlivesTheObjectAndTheFilesName) {
  std::shared_ptr<const void> held;
  std::span<const std::byte> part;
  {
    const auto file = FileBytes::open(path_, kBytes);
    ASSERT_TRUE(file.has_value());
    part = file->bytes().subspan(5, kBytes / 2);
    held = file->hold(part);
  }
  std::filesystem::remove(path_);
  EXPECT_EQ(held.get(), part.data());
  EXPECT_TRUE(all_x(part));
}

TEST_F(FileBytesTest, WhatIsBroughtInIsThere) {
  const auto file = FileBytes::open(path_, kBytes);
  ASSERT_TRUE(file.has_value());
  const auto bytes = file->bytes();
  if (!testing::page_is_there(bytes.data())) GTEST_SKIP() << "no /proc/self/pagemap";
  const auto there = [&](std::size_t at) { return *testing::page_is_there(bytes.data() + at); };
  ASSERT_FALSE(there(kBytes / 2));
  bring_in(bytes.subspan(100));
  EXPECT_EQ(there(0), there(kBytes / 2)) << "all, or before Linux 5.14 nothing";
  EXPECT_EQ(there(0), there(kBytes - 1));
  EXPECT_TRUE(all_x(bytes));
}

TEST_F(FileBytesTest, WhatNobodyHoldsLeavesTheMemory) {
  const auto file = FileBytes::open(path_, kBytes);
  ASSERT_TRUE(file.has_value());
  const auto bytes = file->bytes();
  auto held = file->hold(bytes.subspan(100, kBytes / 2));
  auto copy = held;
  ASSERT_TRUE(all_x(bytes));
  const std::byte *inside = bytes.data() + kBytes / 4, *outside = bytes.data() + kBytes / 4 * 3;
  const auto there = testing::page_is_there(inside);
  if (!there) GTEST_SKIP() << "no /proc/self/pagemap";
  ASSERT_TRUE(*there);
  held.reset();
  EXPECT_TRUE(*testing::page_is_there(inside)) << "another copy holds it";
  copy.reset();
  EXPECT_FALSE(*testing::page_is_there(inside));
  EXPECT_TRUE(*testing::page_is_there(outside));
  EXPECT_TRUE(*testing::page_is_there(bytes.data())) << "a page that belongs to it in part only";
  EXPECT_TRUE(all_x(bytes)) << "read again from the file";
}

}  // namespace
}  // namespace tessera
