// Packed weights found again: the same bits, and whatever is wrong with the directory costs no more than the packing.

#include "device/packed_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "device/device_test.h"

namespace tessera {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

Constant numbers(std::size_t count, std::size_t changed = SIZE_MAX) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i * 7919 % 2003) / 1024.0f - 1.0f;
  if (changed < count) out[changed] += 0.5f;
  return std::make_shared<const std::vector<float>>(std::move(out));
}

/// Three layers large enough to be kept (1x1, 3x3, 3x3 by twos) and one that is not. `changed`: a weight of the first.
Graph graph(int side = 13, std::size_t changed = SIZE_MAX) {
  Graph out;
  const ValueId x = out.add_input("x", {1, side, side, 256});
  const ConvAttrs one{.oc = 288, .weights = numbers(256 * 288, changed)};
  const ConvAttrs three{.oc = 96, .kh = 3, .kw = 3, .pad = {1, 1, 1, 1}, .weights = numbers(9 * 288 * 96)};
  const ConvAttrs by_two{
      .oc = 90, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .pad = {1, 1, 1, 1}, .weights = numbers(9 * 96 * 90)};
  const ConvAttrs small{.oc = 8, .weights = numbers(90 * 8), .bias = numbers(8)};
  ValueId v = out.add("one", one, {x});
  v = out.add("by two", by_two, {out.add("three", three, {v})});
  out.outputs = {out.add("small", small, {v})};
  EXPECT_TRUE(infer_shapes(out).has_value());
  return out;
}
constexpr std::size_t kLarge = 3;

/// A directory for the test that is not there yet, and what was warned of.
class PackedCacheTest : public ::testing::Test {
 protected:
  PackedCacheTest() : folder_(std::filesystem::temp_directory_path() / text("tessera_packed_cache_test_", ::getpid())) {
    std::filesystem::remove_all(folder_);
  }
  ~PackedCacheTest() override { std::filesystem::remove_all(folder_); }

  PrepareOptions options(Isa isa = Isa::none) {
    PrepareOptions out{.isa = isa, .weights_cache = folder_};
    out.log = [this](LogLevel level, std::string_view line) {
      if (level == LogLevel::warning) warnings_.emplace_back(line);
    };
    return out;
  }
  /// Bytes that were found.
  std::int64_t mapped(const Graph& graph, const PrepareOptions& options) {
    const auto exec = Executable::prepare(graph, options);
    EXPECT_TRUE(exec.has_value()) << exec.error().message;
    return exec ? (*exec)->mapped_weight_bytes() : -1;
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> out;
    if (!std::filesystem::exists(folder_)) return out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) out.push_back(entry.path());
    return out;
  }
  /// Where the largest file is damaged.
  std::filesystem::path damage(std::streamoff at) {
    const auto all = files();
    const auto path = *std::ranges::max_element(all, {}, [](const auto& p) { return std::filesystem::file_size(p); });
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.put('~');
    return path;
  }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
};

TEST_F(PackedCacheTest, GivesTheSameBitsOnEveryInstructionSet) {
  const CpuInfo cpu = CpuInfo::detect();
  std::size_t before = 0;
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (!cpu.supports(isa)) continue;
    const std::vector<float> want = testing::outputs_of(graph(), {.isa = isa});
    EXPECT_EQ(testing::outputs_of(graph(), options(isa)), want) << to_string(isa) << ", packed";
    EXPECT_THAT(files(), SizeIs(before + kLarge)) << to_string(isa);
    EXPECT_EQ(testing::outputs_of(graph(), options(isa)), want) << to_string(isa) << ", mapped";
    EXPECT_THAT(files(), SizeIs(before + kLarge)) << to_string(isa);
    before = files().size();
  }
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(PackedCacheTest, FindsEveryLargeLayerTheSecondTime) {
  EXPECT_EQ(mapped(graph(), options()), 0);
  std::int64_t bytes = 0;
  for (const auto& file : files()) bytes += static_cast<std::int64_t>(std::filesystem::file_size(file)) - 4096;
  EXPECT_EQ(mapped(graph(), options()), bytes);
  EXPECT_GE(bytes, 4 * (256 * 288 + 9 * 288 * 96 + 9 * 96 * 90));
}

TEST_F(PackedCacheTest, IsOffWithoutADirectory) {
  EXPECT_EQ(mapped(graph(), {}), 0);
  EXPECT_EQ(mapped(graph(), {.device = "reference", .weights_cache = folder_}), 0);
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(PackedCacheTest, OneChangedWeightIsOneLayerMissed) {
  const std::int64_t none = mapped(graph(), options()), all = mapped(graph(), options());
  EXPECT_EQ(none, 0);
  const std::int64_t panels = 288 * 256 * 4;
  EXPECT_EQ(mapped(graph(13, 7), options()), all - panels);
  EXPECT_THAT(files(), SizeIs(kLarge + 1));
  EXPECT_EQ(mapped(graph(13, 7), options()), all);
  EXPECT_EQ(testing::outputs_of(graph(13, 7), options()), testing::outputs_of(graph(13, 7), {.isa = Isa::none}));
}

TEST_F(PackedCacheTest, OtherKernelsPackOtherwise) {
  mapped(graph(), options());
  PrepareOptions exact = options();
  exact.exact = true;
  const std::int64_t found = mapped(graph(), exact);
  EXPECT_EQ(found, 288 * 256 * 4) << "the 1x1 layer is the same without Winograd";
  EXPECT_EQ(testing::outputs_of(graph(), exact), testing::outputs_of(graph(), {.isa = Isa::none, .exact = true}));
}

TEST_F(PackedCacheTest, OtherImageSizesShare) {
  PrepareOptions exact = options();
  exact.exact = true;
  mapped(graph(13), exact);
  const auto before = files();
  EXPECT_GT(mapped(graph(20), exact), 0);
  EXPECT_THAT(files(), SizeIs(before.size()));
}

TEST_F(PackedCacheTest, ADamagedFileIsWarnedOfAndReplaced) {
  const std::vector<float> want = testing::outputs_of(graph(), options());
  for (const std::streamoff at : {std::streamoff{0}, std::streamoff{20}, std::streamoff{200}, std::streamoff{4096}}) {
    warnings_.clear();
    const auto path = damage(at);
    EXPECT_EQ(testing::outputs_of(graph(), options()), want) << at;
    EXPECT_THAT(warnings_, ElementsAre(AllOf(StartsWith(text("packed weights, file '", path.string(), "': is ")),
                                             HasSubstr(", want "), EndsWith("; they are packed anew"))));
    warnings_.clear();
    EXPECT_EQ(testing::outputs_of(graph(), options()), want) << at;
    EXPECT_THAT(warnings_, IsEmpty()) << "replaced";
  }
}

TEST_F(PackedCacheTest, AFileOfAnotherLengthIsReplaced) {
  mapped(graph(), options());
  const std::int64_t all = mapped(graph(), options());
  for (const std::uintmax_t size : {std::uintmax_t{0}, std::uintmax_t{4096}, std::uintmax_t{1} << 24}) {
    warnings_.clear();
    std::filesystem::resize_file(files().front(), size);
    EXPECT_LT(mapped(graph(), options()), all);
    EXPECT_THAT(warnings_, SizeIs(1)) << size;
    EXPECT_EQ(mapped(graph(), options()), all);
  }
}

TEST_F(PackedCacheTest, WhatIsNoFileIsLeftAlone) {
  mapped(graph(), options());
  const auto path = files().front();
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_GT(mapped(graph(), options()), 0);
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(path.string()), HasSubstr("not a plain file"))));
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

TEST_F(PackedCacheTest, ADirectoryThatCannotBeWrittenIsOneWarning) {
  std::ofstream(folder_.string()) << "a file";
  PrepareOptions below = options();
  below.weights_cache = folder_ / "directory";
  EXPECT_EQ(testing::outputs_of(graph(), below), testing::outputs_of(graph(), {.isa = Isa::none}));
  EXPECT_THAT(warnings_,
              ElementsAre(AllOf(StartsWith("packed weights are not kept: "), HasSubstr("directory: Not a directory"),
                                EndsWith("; want a directory that can be written"))));
}

TEST_F(PackedCacheTest, DoesNotNeedItsFilesAfterPreparing) {
  const std::vector<float> want = testing::outputs_of(graph(), options());
  const auto exec = Executable::prepare(graph(), options());
  ASSERT_TRUE(exec.has_value());
  ASSERT_GT((*exec)->mapped_weight_bytes(), 0);
  std::filesystem::remove_all(folder_);
  auto context = ExecutionContext::create(*exec, 1);
  ASSERT_TRUE(context.has_value());
  ThreadPool pool(1);
  EXPECT_EQ(testing::run_once(**exec, *context, pool), want);
}

TEST_F(PackedCacheTest, ManyPrepareAtOnce) {
  const std::vector<float> want = testing::outputs_of(graph(), {.isa = Isa::none});
  const PrepareOptions silent{.isa = Isa::none, .weights_cache = folder_};
  for (int round = 0; round < 3; ++round) {
    std::vector<std::vector<float>> got(4);
    std::vector<std::thread> threads;
    for (auto& out : got) threads.emplace_back([&] { out = testing::outputs_of(graph(), silent); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& out : got) EXPECT_EQ(out, want);
    EXPECT_THAT(files(), SizeIs(kLarge)) << "no part is left";
    std::filesystem::remove_all(folder_);
  }
}

}  // namespace
}  // namespace tessera
