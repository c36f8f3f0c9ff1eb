// The bytes of a file of packed weights: every one of them is checked.

#include "device/packed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/text.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::int64_t kCount = 40;

class PackedFileTest : public ::testing::Test {
 protected:
  PackedFileTest() : folder_(std::filesystem::temp_directory_path() / text("tessera_packed_file_test_", ::getpid())) {
    std::filesystem::remove_all(folder_);
    for (std::size_t i = 0; i < floats_.size(); ++i) floats_[i] = static_cast<float>(i);
  }
  ~PackedFileTest() override { std::filesystem::remove_all(folder_); }

  PackedRecipe recipe() const { return {.weights = weights_, .layout = {1, 2, 3, 4, 5, 6}, .count = kCount}; }
  std::string label() const { return packed_label("conv_gemm_scalar", recipe()); }
  /// Written, read back, looked at from an aligned place.
  std::string written() {
    const Status status = write_packed(folder_, label(), floats_);
    EXPECT_TRUE(status.has_value()) << status.error().message;
    std::ifstream file(folder_ / packed_name(label()), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Result<std::vector<float>> read(const std::string& bytes) const {
    std::vector<float> aligned(bytes.size() / sizeof(float) + 1);
    const auto memory = std::as_writable_bytes(std::span(aligned)).first(bytes.size());
    std::ranges::copy(std::as_bytes(std::span(bytes)), memory.begin());
    const auto found = read_packed(memory, label(), kCount);
    if (!found) return found.error();
    return std::vector<float>(found->begin(), found->end());
  }
  std::string fact(const std::string& bytes) const {
    const auto found = read(bytes);
    if (found) return "no error";
    EXPECT_EQ(found.error().code, Code::corrupt);
    return found.error().message;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) out.push_back(entry.path().filename());
    return out;
  }

  std::filesystem::path folder_;
  std::vector<float> weights_ = {1, 2, 3};
  std::vector<float> floats_ = std::vector<float>(kCount);
};

TEST_F(PackedFileTest, HoldsWhatWasWritten) {
  const std::string bytes = written();
  EXPECT_THAT(bytes, StartsWith("tessera-packed 1 conv_gemm_scalar layout 1,2,3,4,5,6 floats 40 weights "));
  const auto found = read(bytes);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(*found, floats_);
  EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(PackedFileTest, IsNamedByAllThatDecidesTheNumbers) {
  const std::string name = packed_name(label());
  EXPECT_THAT(name, ::testing::MatchesRegex("[0-9a-f]{16}\\.packed"));
  EXPECT_NE(packed_name(packed_label("conv_gemm_avx2", recipe())), name);
  for (std::size_t i = 0; i < recipe().layout.size(); ++i) {
    PackedRecipe other = recipe();
    other.layout[i] += 1;
    EXPECT_NE(packed_name(packed_label("conv_gemm_scalar", other)), name) << i;
  }
  weights_[1] = 2.5f;
  EXPECT_NE(packed_name(label()), name);
}

TEST_F(PackedFileTest, OneBitAnywhereIsFound) {
  const std::string good = written();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    ASSERT_NE(fact(bad), "no error") << "byte " << i;
  }
}

TEST_F(PackedFileTest, AnyOtherLengthIsFound) {
  const std::string good = written();
  for (std::size_t size = 0; size < good.size(); ++size) ASSERT_NE(fact(good.substr(0, size)), "no error") << size;
  EXPECT_EQ(fact(good + '\0'), "has 4257 bytes, want 4256");
}

TEST_F(PackedFileTest, ErrorsSayFactAndWish) {
  const std::string good = written();
  EXPECT_EQ(fact(""), "has 0 bytes, want 4256");
  std::string bad = good;
  bad.back() = 'x';
  EXPECT_THAT(fact(bad), ::testing::AllOf(StartsWith("is damaged: "), HasSubstr(", want ")));
  bad = good;
  bad[17] = 'd';
  EXPECT_EQ(fact(bad), "is of other weights than its name says, want " + label().substr(0, label().size() - 1));
}

TEST_F(PackedFileTest, TheDirectoryIsForItsOwnerOnly) {
  written();
  struct stat facts {};
  ASSERT_EQ(::stat(folder_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat((folder_ / packed_name(label())).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(PackedFileTest, WhatCannotBeWrittenIsAnErrorAndLeavesNothing) {
  const Status no_parent = write_packed(folder_ / "a", label(), floats_);
  ASSERT_FALSE(no_parent.has_value());
  EXPECT_EQ(no_parent.error().code, Code::io);
  EXPECT_EQ(no_parent.error().message, text((folder_ / "a").string(), ": No such file or directory"));

  std::filesystem::create_directories(folder_ / packed_name(label()));  // cannot be renamed over
  const Status not_renamed = write_packed(folder_, label(), floats_);
  ASSERT_FALSE(not_renamed.has_value());
  EXPECT_THAT(not_renamed.error().message, HasSubstr(packed_name(label()) + ": "));
  EXPECT_THAT(files(), SizeIs(1)) << "the part is gone";
}

TEST_F(PackedFileTest, AFullDiskIsAnErrorAndLeavesNothing) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {.rlim_cur = kPackedHeader + 16, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_packed(folder_, label(), floats_);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, old);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::io);
  EXPECT_THAT(files(), SizeIs(0));
}

}  // namespace
}  // namespace tessera
