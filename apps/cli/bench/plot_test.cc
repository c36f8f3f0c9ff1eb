#include "bench/plot.h"

#include <gtest/gtest.h>

#include <regex>

namespace tessera::cli {
namespace {

BarPlot plot(std::vector<double> values) {
  BarPlot out{"title", "subtitle", "ms", {{"group", {}}}};
  for (const double value : values) out.groups[0].bars.push_back({"label", "", value, false});
  return out;
}

// Lengths of the bars, in order.
std::vector<double> lengths(const std::string& svg) {
  std::vector<double> out;
  const std::regex bar("width=\"([0-9.]+)\" height=\"[0-9.]+\" class=\"(bar|wrong)\"");
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), bar); it != std::sregex_iterator(); ++it) {
    out.push_back(std::stod((*it)[1]));
  }
  return out;
}

TEST(BarPlot, TakesALogScaleBeyondTwentyTimes) {
  EXPECT_FALSE(wants_log_scale(plot({1, 20})));
  EXPECT_TRUE(wants_log_scale(plot({1, 20.5})));
  EXPECT_FALSE(wants_log_scale(plot({0, 0})));
}

TEST(BarPlot, LinearBarsAreProportional) {
  const auto bars = lengths(bars_svg(plot({10, 20, 5})));
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_NEAR(bars[1], 2 * bars[0], 0.11);  // written with one digit
  EXPECT_NEAR(bars[2], bars[0] / 2, 0.11);
}

TEST(BarPlot, LogarithmicBarsGrowByEqualSteps) {
  const auto bars = lengths(bars_svg(plot({1, 10, 100, 1000})));
  ASSERT_EQ(bars.size(), 4u);
  EXPECT_GT(bars[0], 1);
  for (int i = 1; i < 3; ++i) EXPECT_NEAR(bars[i + 1] - bars[i], bars[1] - bars[0], 0.21);
}

TEST(BarPlot, TextsAreEscapedAndMarksShown) {
  BarPlot p = plot({1});
  p.title = "a<b & \"c\"\n";
  p.groups[0].bars[0].marked = true;
  const std::string svg = bars_svg(p);
  EXPECT_NE(svg.find(">a&lt;b &amp; &quot;c&quot; </text>"), std::string::npos);
  EXPECT_NE(svg.find("class=\"wrong\""), std::string::npos);
}

TEST(BarPlot, ZerosAndEqualValuesHaveAnAxis) {
  for (const auto& values : {std::vector<double>{0}, {3, 3}, {1e-9, 1e9}}) {
    const std::string svg = bars_svg(plot(values));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(lengths(svg).size(), values.size());
  }
}

}  // namespace
}  // namespace tessera::cli
