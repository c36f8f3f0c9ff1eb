// The model that chooses between kernels of a convolution, held against times that `tessera bench --chooser` recorded.

#include "bench/chooser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "device/choose.h"

namespace tessera::cli {
namespace {

using nlohmann::json;

constexpr double kMost = 1.05;  // of the fastest recorded time

std::vector<json> recorded_tables() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_TESTDATA "/chooser")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<json> out;
  for (const auto& file : files) {
    std::ifstream in(file);
    out.push_back(json::parse(in));
    out.back()["file"] = file.filename().string();
  }
  return out;
}

/// A kernel name per shape that the table has, or what is wrong with the choice.
std::string judge(const json& ms, const NodeImplInfo* chosen) {
  double best = 1e300;
  for (const auto& [name, time] : ms.items()) best = std::min(best, time.get<double>());
  if (!ms.contains(chosen->name)) return std::string(chosen->name) + " is not in the table: record it again";
  const double share = ms[chosen->name].get<double>() / best;
  if (share <= kMost) return "";
  return std::string(chosen->name) + " takes " + std::to_string(share) + " of the best time: " + ms.dump();
}

json row_of(const json& table, const std::string& shape) {
  for (const json& row : table["shapes"]) {
    if (row["shape"] == shape) return row["ms"];
  }
  return json::object();
}

// Other architectures' kernels are not in this build, so their tables cannot be judged here.
TEST(Chooser, TheModelIsWithin5PercentOfTheBestRecorded) {
  int judged = 0;
  for (const json& table : recorded_tables()) {
    const Isa isa = parse_isa(table["isa"].get<std::string>()).value();
    const CpuInfo cpu = CpuInfo::detect().with_l2(table["l2_bytes"].get<std::int64_t>());
    for (const ChooserShape& shape : chooser_shapes()) {
      const Graph graph = chooser_graph(shape);
      const ImplContext context{&graph, &graph.nodes.back(), cpu, table["threads"].get<int>()};
      const auto impls = contenders(context, isa);
      if (impls.empty()) continue;
      const NodeImplInfo* chosen = model_choice(impls, context);
      ASSERT_NE(chosen, nullptr) << describe(shape);
      EXPECT_EQ(judge(row_of(table, describe(shape)), chosen), "") << table["file"] << ": " << describe(shape);
      ++judged;
    }
  }
  if (judged == 0) GTEST_SKIP() << "no table of testdata/chooser was recorded with kernels of this build";
}

TEST(Chooser, AWorseChoiceIsNoticed) {
  const NodeImplInfo slow{"conv_slow", Isa::none, nullptr, nullptr}, good{"conv_good", Isa::none, nullptr, nullptr};
  const json ms{{"conv_slow", 1.06}, {"conv_good", 1.04}, {"conv_best", 1.0}};
  EXPECT_EQ(judge(ms, &good), "");
  EXPECT_THAT(judge(ms, &slow), ::testing::HasSubstr("conv_slow takes 1.06"));
  EXPECT_THAT(judge({{"conv_best", 1.0}}, &good), ::testing::HasSubstr("not in the table"));
}

TEST(Chooser, TheModelOfTheTablesIsTheOneThatNetworksGet) {
  const CpuInfo cpu = CpuInfo::detect();
  const Chooser chooser{*find_device("cpu"), {}, {}, false};
  for (const ChooserShape& shape : chooser_shapes()) {
    const Graph graph = chooser_graph(shape);
    const ImplContext context{&graph, &graph.nodes.back(), cpu, 1};
    NodeChoice choice;
    const auto chosen = chooser.choose(context, choice);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(*chosen, model_choice(contenders(context, (*chosen)->isa), context)) << describe(shape);
  }
}

}  // namespace
}  // namespace tessera::cli
