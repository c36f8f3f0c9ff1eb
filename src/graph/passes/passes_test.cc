#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

// One block of a Darknet network: conv, norm, Mish, conv, norm, Mish, shortcut, dropout, and a dead branch.
Graph block() {
  Graph graph;
  const auto norm = [] {
    return BatchNormAttrs{constant({1, 1}), constant({0, 0}), constant({0, 0}), constant({1, 1})};
  };
  const ValueId x = graph.add_input("x", {1, 4, 4, 2});
  ValueId y = x;
  for (const std::string n : {"1", "2"}) {
    y = graph.add("conv" + n, conv_of(2, 2), {y});
    y = graph.add("norm" + n, norm(), {y});
    y = graph.add("mish" + n, ActivationAttrs{{Activation::mish}}, {y});
  }
  graph.add("dead", ActivationAttrs{{Activation::relu}}, {y});
  y = graph.add("shortcut", AddAttrs{}, {y, x});
  y = graph.add("relu", ActivationAttrs{{Activation::relu}}, {y});
  graph.outputs = {graph.add("dropout", IdentityAttrs{}, {y})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(Passes, EveryFileIsListed) {
  std::set<std::string> names{"passes", "rewrite", "match", "functions"};
  for (const Pass& pass : passes()) {
    std::string file = pass.name;
    std::ranges::replace(file, '-', '_');
    names.insert(file);
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/src/graph/passes")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".cc" || stem.ends_with("_test")) continue;
    EXPECT_TRUE(names.contains(stem)) << stem << ".cc has no entry in passes.cc";
    ++files;
  }
  EXPECT_GT(files, 5);
}

TEST(Passes, TogetherTheyMakeTwoConvolutions) {
  Graph graph = block();
  ASSERT_TRUE(run_passes(graph, {}, {}).has_value());
  EXPECT_EQ(describe(graph), "mish1 = conv+mish(x)\ndropout = conv+mish+residual+relu(mish1 x)\n-> dropout");
}

TEST(Passes, EachCanBeSwitchedOff) {
  const Graph plain = block();
  Graph all = plain;
  ASSERT_TRUE(run_passes(all, {}, {}).has_value());
  for (const char* name : {"remove-dead", "drop-identities", "fold-batch-norm", "fuse-activation", "fuse-residual"}) {
    Graph graph = plain;
    const std::string disabled[] = {name};
    ASSERT_TRUE(run_passes(graph, disabled, {}).has_value());
    EXPECT_NE(describe(graph), describe(all)) << name;
  }
  std::vector<std::string> every;
  for (const Pass& pass : passes()) every.emplace_back(pass.name);
  Graph graph = plain;
  ASSERT_TRUE(run_passes(graph, every, {}).has_value());
  EXPECT_EQ(describe(graph), describe(plain));
}

TEST(Passes, UnknownNamesAreRefused) {
  Graph graph = block();
  const std::string disabled[] = {"winograd"};
  const auto status = run_passes(graph, disabled, {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::invalid_argument);
  EXPECT_EQ(status.error().message,
            "pass 'winograd' does not exist; there are remove-dead, drop-identities, fold-batch-norm, recognize-gelu, "
            "recognize-hard-swish, recognize-mish, recognize-silu, fuse-activation, fuse-residual, spp-cascade");
}

TEST(Passes, TellWhatTheyDid) {
  Graph graph = block();
  std::string lines;
  const std::string disabled[] = {"spp-cascade"};
  const auto sink = [&lines](LogLevel, std::string_view line) { lines += text(line, "\n"); };
  ASSERT_TRUE(run_passes(graph, disabled, sink).has_value());
  EXPECT_THAT(lines, HasSubstr("pass fold-batch-norm: 2 places\n"));
  EXPECT_THAT(lines, HasSubstr("pass spp-cascade: disabled\n"));
}

// Random graphs stay sound, and a second round finds nothing more.
TEST(Passes, AreIdempotentOnRandomGraphs) {
  int rewritten = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Graph graph = RandomGraph(seed).make(30);
    const std::string before = describe(graph);
    const auto status = run_passes(graph, {}, {});
    ASSERT_TRUE(status.has_value()) << "seed " << seed << ": " << status.error().message;
    rewritten += describe(graph) != before;
    for (const Pass& pass : passes()) {
      Graph again = graph;
      EXPECT_EQ(*pass.run(again), 0) << "seed " << seed << ": " << pass.name << "\n" << describe(graph);
    }
  }
  EXPECT_GT(rewritten, 250);
}

}  // namespace
}  // namespace tessera::testing
