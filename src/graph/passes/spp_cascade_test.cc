#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

PoolAttrs same_max(int k) { return {PoolAttrs::Kind::max, k, k, 1, 1, {k / 2, k / 2, k / 2, k / 2}}; }

// Darknet's order is 5, 9, 13; others write 13, 9, 5.
Graph spp(const std::vector<int>& kernels) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 20, 20, 3});
  std::vector<ValueId> parts{x};
  for (int k : kernels) parts.push_back(graph.add("max" + std::to_string(k), same_max(k), {x}));
  graph.outputs = {graph.add("spp", ConcatAttrs{}, parts)};
  return graph;
}

TEST(SppCascade, FiveNineThirteen) {
  Graph graph = spp({5, 9, 13});
  EXPECT_EQ(after("spp-cascade", graph, 2),
            "max5 = pool5(x)\nmax9 = pool5(max5)\nmax13 = pool5(max9)\nspp = concat(x max5 max9 max13)\n-> spp");
}

TEST(SppCascade, InAnyOrder) {
  Graph graph = spp({13, 5, 9});
  EXPECT_EQ(after("spp-cascade", graph, 2),
            "max5 = pool5(x)\nmax9 = pool5(max5)\nmax13 = pool5(max9)\nspp = concat(x max13 max5 max9)\n-> spp");
}

TEST(SppCascade, OtherSteps) {
  Graph graph = spp({3, 11});
  EXPECT_EQ(after("spp-cascade", graph, 1), "max3 = pool3(x)\nmax11 = pool9(max3)\nspp = concat(x max3 max11)\n-> spp");
}

TEST(SppCascade, LeavesOtherPools) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 20, 20, 3});
  PoolAttrs average = same_max(9), strided = same_max(9), corner = same_max(9);
  average.kind = PoolAttrs::Kind::average;
  strided.sh = 2;
  corner.pad = {8, 8, 0, 0};
  graph.outputs = {graph.add("five", same_max(5), {x}), graph.add("average", average, {x}),
                   graph.add("strided", strided, {x}), graph.add("corner", corner, {x})};
  const std::string before = describe(graph);
  EXPECT_EQ(after("spp-cascade", graph, 0), before);
}

}  // namespace
}  // namespace tessera::testing
