#include "bench/roofline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace tessera::cli {
namespace {

Layer layer(std::string kernel, double flops, double bytes, double ms) {
  Layer out{.node = "n", .op = "conv", .kernel = std::move(kernel), .macs = flops > 0 ? 1 : 0, .median_ms = ms};
  out.work = {flops, bytes};
  out.bound.compute_ms = ms / 2;
  return out;
}

LayerReport report(std::vector<Layer> layers) {
  return {
      std::move(layers), {}, {Isa::none, 1, 200, {{"L2", 1 << 20, 1 << 20, 100}, {"memory", INT64_MAX, 1 << 28, 10}}}};
}

struct Point {
  double x, y, radius;
};
std::vector<Point> points(const std::string& svg) {
  std::vector<Point> out;
  const std::regex circle("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"([0-9.]+)\" fill=\"[^\"]+\" class=\"layer\"");
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), circle); it != std::sregex_iterator(); ++it) {
    out.push_back({std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3])});
  }
  return out;
}

/// A line of the class "roof" that ends at the right, the peak's; its height.
double peak_line(const std::string& svg) {
  const std::regex roof("y1=\"([0-9.]+)\" x2=\"[0-9.]+\" y2=\"\\1\" class=\"roof\"");
  std::smatch match;
  return std::regex_search(svg, match, roof) ? std::stod(match[1]) : NAN;
}

TEST(Roofline, PlacesLayersByWorkPerByteAndRate) {
  // 1 ms each: 1, 10 and 100 operations per byte at 10, 100 and 200 GFLOP/s, the last at the peak.
  const std::string svg =
      roofline_svg(report({layer("a", 1e7, 1e7, 1), layer("b", 1e8, 1e7, 1), layer("b", 2e8, 2e6, 1)}), "t");
  const auto at = points(svg);
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR(at[1].x - at[0].x, at[2].x - at[1].x, 0.11);  // written with one digit
  EXPECT_LT(at[0].x, at[1].x);
  EXPECT_NEAR((at[1].y - at[2].y) / (at[0].y - at[1].y), std::log10(2.0), 0.002);
  EXPECT_NEAR(at[2].y, peak_line(svg), 0.11);
}

TEST(Roofline, AreasAreSharesOfTheTime) {
  const auto at = points(roofline_svg(report({layer("a", 1e8, 1e7, 1), layer("a", 1e8, 1e7, 9)}), "t"));
  ASSERT_EQ(at.size(), 2u);
  EXPECT_NEAR((at[0].radius - 3) / (at[1].radius - 3), 3, 0.05);  // 3: what the smallest has; largest first
}

TEST(Roofline, CountsWhatDoesNotMultiplyAndHoldsOddNumbers) {
  const std::string svg = roofline_svg(
      report({layer("pool", 0, 100, 1), layer("a<b", 1e-3, 1e9, 1e-9), layer("c", 1e15, 1, 1e6), layer("d", 1, 1, 0)}),
      "t");
  EXPECT_NE(svg.find("2 layers that multiply, 2 that do not"), std::string::npos);
  EXPECT_EQ(points(svg).size(), 2u);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  for (const char* bad : {"nan", "inf"}) EXPECT_EQ(svg.find(bad), std::string::npos);
  EXPECT_TRUE(points(roofline_svg(report({}), "t")).empty());
}

}  // namespace
}  // namespace tessera::cli
