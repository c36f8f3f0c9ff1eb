#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

TEST(RemoveDead, DropsWhatNoOutputNeeds) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  graph.add_input("unused", {1, 2, 2, 3});  // stays: the caller counts inputs
  const ValueId a = graph.add("a", ActivationAttrs{{Activation::relu}}, {x});
  const ValueId dead = graph.add("dead", ActivationAttrs{{Activation::tanh}}, {a});
  graph.add("deader", AddAttrs{}, {dead, x});
  graph.outputs = {a};
  EXPECT_EQ(after("remove-dead", graph, 2), "a = relu(x)\n-> a");
  EXPECT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.values.size(), 3u);
}

}  // namespace
}  // namespace tessera::testing
