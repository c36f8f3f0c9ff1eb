#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

TEST(DropIdentities, EveryKindInTheMiddle) {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 4, 4, 3});
  x = graph.add("start", ActivationAttrs{{Activation::relu}}, {x});
  x = graph.add("identity", IdentityAttrs{}, {x});
  x = graph.add("linear", ActivationAttrs{}, {x});
  x = graph.add("concat", ConcatAttrs{}, {x});
  x = graph.add("slice", SliceAttrs{0, 3}, {x});
  x = graph.add("pool", PoolAttrs{PoolAttrs::Kind::average, 1, 1, 1, 1}, {x});
  x = graph.add("upsample", UpsampleAttrs{1, 1}, {x});
  graph.outputs = {graph.add("end", ActivationAttrs{{Activation::tanh}}, {x})};
  EXPECT_EQ(after("drop-identities", graph, 6), "start = relu(x)\nend = tanh(start)\n-> end");
}

TEST(DropIdentities, LeavesWhatOnlyLooksLikeOne) {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 4, 4, 3});
  x = graph.add("slice", SliceAttrs{0, 2}, {x});
  x = graph.add("pool", PoolAttrs{PoolAttrs::Kind::max, 1, 1, 2, 2}, {x});
  x = graph.add("upsample", UpsampleAttrs{1, 1, 2.0f}, {x});
  graph.outputs = {graph.add("concat", ConcatAttrs{}, {x, x})};
  const std::string before = describe(graph);
  EXPECT_EQ(after("drop-identities", graph, 0), before);
}

TEST(DropIdentities, AnOutputKeepsItsName) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 4, 4, 3});
  const ValueId a = graph.add("a", ActivationAttrs{{Activation::relu}}, {x});
  const ValueId head = graph.add("head", IdentityAttrs{}, {a});
  const ValueId b = graph.add("b", ActivationAttrs{{Activation::tanh}}, {a});
  graph.outputs = {head, b};
  EXPECT_EQ(after("drop-identities", graph, 1), "head = relu(x)\nb = tanh(head)\n-> head b");
}

TEST(DropIdentities, ACopyThatTheCallerSeesTwiceStays) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 4, 4, 3});
  const ValueId copy = graph.add("copy", IdentityAttrs{}, {x});
  const ValueId a = graph.add("a", ActivationAttrs{{Activation::relu}}, {copy});
  const ValueId again = graph.add("again", IdentityAttrs{}, {a});
  graph.outputs = {copy, a, again};
  EXPECT_EQ(after("drop-identities", graph, 0),
            "copy = identity(x)\na = relu(copy)\nagain = identity(a)\n-> copy a again");
}

}  // namespace
}  // namespace tessera::testing
