#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "bench/timing.h"
#include "common/model_options.h"
#include "common/progress.h"
#include "common/tensors.h"

namespace tessera::cli {
namespace {

TEST(Progress, LineFitsAndTells) {
  const std::string line = progress_line({.done = 523, .total = 1000, .seconds = 10, .failed = 2}, "photos", 100);
  EXPECT_EQ(line, "[===============>              ]  523/1000  52.3 photos/s  0:10 left  2 failed");
  EXPECT_EQ(progress_line({.done = 5, .total = {}, .seconds = 2, .failed = 0}, "photos", 80), "5  2.5 photos/s");
  EXPECT_EQ(progress_line({.done = 1.5, .total = 3, .seconds = 0, .failed = 0}, "MB", 40),
            "[=========>        ]  1.5/3.0  0.0 MB/s");
  for (int width = 1; width < 120; ++width) {
    EXPECT_LT(progress_line({.done = 9, .total = 9, .seconds = 3, .failed = 1}, "photos", width).size(),
              static_cast<std::size_t>(width));
  }
}

TEST(Progress, Clock) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(6.2), "0:07");
  EXPECT_EQ(clock_text(754), "12:34");
  EXPECT_EQ(clock_text(3723), "1:02:03");
  EXPECT_EQ(clock_text(1e30), "99:59:59");
}

TEST(Options, Sizes) {
  EXPECT_EQ(check_size("416"), "");
  EXPECT_EQ(parse_size("640x384").width, 640);
  EXPECT_EQ(parse_size("640x384").height, 384);
  for (const char* bad : {"", "x", "0", "-3", "64x", "x64", "64x0", "64.5", "64x64x3", "99999999999"})
    EXPECT_NE(check_size(bad), "") << bad;
}

TEST(Options, Kernels) {
  EXPECT_EQ(check_kernel("conv=naive"), "");
  for (const char* bad : {"", "conv", "=naive", "conv="}) EXPECT_NE(check_kernel(bad), "") << bad;
}

TEST(Summary, OddEvenAndNearestRank) {
  EXPECT_EQ(summarize({3, 1, 2}).median, 2);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(summarize({7}).p90, 7);
  std::vector<double> ten{10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(summarize(ten).p90, 9);
  EXPECT_EQ(summarize(ten).min, 1);
}

TEST(Tensors, NoiseOfBytesIsAnyByte) {
  std::vector<std::uint8_t> memory(2 * 3 * 5, 7);
  TensorRef tensor{nullptr, 1, 2, 3, 4, 5};
  tensor.bytes = memory.data();
  std::array<int, 256> met{};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    fill_with_noise(tensor, seed);
    ++met[memory[0]];
    EXPECT_EQ(memory[4], 7) << "padding is left alone";
  }
  EXPECT_GT(std::ranges::count_if(met, [](int n) { return n > 0; }), 200);
}

TEST(Tensors, LayoutsAreEachOthersInverse) {
  std::vector<float> memory(2 * 3 * 5, -1);  // 2x3 pixels, 4 channels, stride 5
  const TensorRef tensor{memory.data(), 1, 2, 3, 4, 5};
  fill_with_noise(tensor, 9);
  EXPECT_EQ(memory[4], -1) << "padding is left alone";
  const auto array = [&](FileLayout layout) { return to_array(tensor, file_order({}, "x", tensor, layout)); };
  const NpyArray nhwc = array(FileLayout::nhwc), nchw = array(FileLayout::nchw);
  EXPECT_EQ(nhwc.shape, (Shape{1, 2, 3, 4}));
  EXPECT_EQ(nchw.shape, (Shape{1, 4, 2, 3}));
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(nhwc.data[p * 4 + c], memory[p * 5 + c]);
      EXPECT_EQ(nchw.data[c * 6 + p], memory[p * 5 + c]);
      EXPECT_GE(memory[p * 5 + c], 0.0f);
      EXPECT_LT(memory[p * 5 + c], 1.0f);
    }
  }
}

}  // namespace
}  // namespace tessera::cli
