#pragma once
// What the passes' tests share: a graph as text, one line per node, so that before and after can be read.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "graph/passes/passes.h"
#include "graph/random_graph.h"

namespace tessera::testing {

inline std::string describe_activation(const ActivationSpec& act) {
  return act.kind == Activation::linear ? "" : text("+", to_string(act.kind));
}

struct Describe {
  std::string operator()(const ConvAttrs& a) const {
    return text(a.groups > 1 ? "dw" : "", "conv", describe_activation(a.epilogue.act),
                a.epilogue.residual ? "+residual" : "", describe_activation(a.epilogue.post_act));
  }
  std::string operator()(const ActivationAttrs& a) const { return to_string(a.act.kind); }
  std::string operator()(const AddAttrs& a) const { return text("add", describe_activation(a.act)); }
  std::string operator()(const MulAttrs& a) const { return text("mul", describe_activation(a.act)); }
  std::string operator()(const PoolAttrs& a) const { return text("pool", a.kh); }
  template <class Other>
  std::string operator()(const Other& a) const {
    return op_name(a);
  }
};

/// "y = conv+relu(x)" for each node but the inputs, then "-> y".
inline std::string describe(const Graph& graph) {
  std::string out;
  const auto names = [&graph](const std::vector<ValueId>& ids) {
    std::string list;
    for (ValueId id : ids) list += text(list.empty() ? "" : " ", graph.value(id).name);
    return list;
  };
  for (const Node& node : graph.nodes) {
    if (std::holds_alternative<InputAttrs>(node.attrs)) continue;
    out +=
        text(graph.value(node.output).name, " = ", std::visit(Describe{}, node.attrs), "(", names(node.inputs), ")\n");
  }
  return out + text("-> ", names(graph.outputs));
}

/// Runs one pass, checks that the graph is still sound and that a second run finds nothing, and describes the result.
inline std::string after(std::string_view pass_name, Graph& graph, int places) {
  EXPECT_TRUE(infer_shapes(graph).has_value()) << infer_shapes(graph).error().message;
  const auto pass = std::ranges::find(passes(), pass_name, [](const Pass& p) { return std::string_view(p.name); });
  if (pass == passes().end()) return text("no pass ", pass_name);
  const auto count = pass->run(graph);
  EXPECT_TRUE(count.has_value());
  EXPECT_EQ(*count, places);
  const auto status = verify(graph);
  EXPECT_TRUE(status.has_value()) << status.error().message;
  const std::string once = describe(graph);
  EXPECT_EQ(*pass->run(graph), 0) << "not idempotent";
  EXPECT_EQ(describe(graph), once);
  return once;
}

/// 1x1 convolution of x's channels with all weights 1.
inline ConvAttrs conv_of(std::int64_t ic, int oc) {
  return {.oc = oc, .weights = constant(std::vector<float>(static_cast<std::size_t>(ic * oc), 1.0f))};
}

}  // namespace tessera::testing
