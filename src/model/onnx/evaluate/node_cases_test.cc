// The evaluator over the ONNX project's own cases: a wrong answer fails, what is not known is counted.

#include "model/onnx/node_cases.h"

#include <gtest/gtest.h>

#include <iostream>

#include "base/text.h"
#include "model/onnx/evaluate/evaluate.h"

namespace tessera::onnx {
namespace {

using Values = std::vector<std::optional<Tensor>>;

Status evaluate_node(const IrGraph& graph, const IrNode& node, Values& values) {
  std::vector<const Tensor*> inputs;
  for (const int id : node.inputs) {
    const bool there = id != kAbsent && values[static_cast<std::size_t>(id)];
    inputs.push_back(there ? &*values[static_cast<std::size_t>(id)] : nullptr);
  }
  auto outputs = evaluate(node, inputs, graph.opset);
  if (!outputs) return outputs.error();
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kAbsent) values[static_cast<std::size_t>(node.outputs[i])] = std::move((*outputs)[i]);
  }
  return {};
}

/// "" when every output is as the case says.
Result<std::string> run(const NodeCase& test) {
  const IrGraph& graph = test.graph;
  Values values;
  for (const IrValue& value : graph.values) values.push_back(value.constant);
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    values[static_cast<std::size_t>(graph.inputs[i].value)] = test.inputs[i];
  }
  for (const IrNode& node : graph.nodes) TESSERA_TRY(evaluate_node(graph, node, values));
  for (std::size_t i = 0; i < test.outputs.size(); ++i) {
    const Tensor& got = *values[static_cast<std::size_t>(graph.outputs[i])];
    const std::string wrong = difference(got, test.outputs[i]);
    if (!wrong.empty()) return text("output ", i, ' ', wrong);
  }
  return std::string();
}

/// The data of 2022 cut a real down to bfloat16; the specification rounds it to the nearest.
bool is_known_wrong(const std::filesystem::path& folder) {
  return folder.filename().string().find("FLOAT_to_BFLOAT16") != std::string::npos;
}

TEST(OnnxEvaluate, TheProjectsOwnCases) {
  const auto folders = node_case_folders();
  if (folders.empty()) GTEST_SKIP() << "no node tests: install libonnx-testdata or set TESSERA_ONNX_TESTDATA";
  NodeTally tally;
  int passed = 0;
  for (const auto& folder : folders) {
    if (is_known_wrong(folder)) continue;
    const auto test = load_node_case(folder);
    if (!test && test.error().code == Code::unsupported) {
      ++tally.operators["(not read)"].unsupported;
      continue;
    }
    ASSERT_TRUE(test.has_value()) << folder << ": " << test.error().message;
    auto& count = tally.operators[tally_name(test->graph)];
    const auto wrong = run(*test);
    if (!wrong) {
      EXPECT_EQ(wrong.error().code, Code::unsupported) << folder << ": " << wrong.error().message;
      ++count.unsupported;
      continue;
    }
    EXPECT_EQ(*wrong, "") << folder;
    ++count.passed, ++passed;
  }
  std::cout << tally.table();
  EXPECT_GT(passed, 0) << "nothing was compared";
  for (const auto& [op, count] : tally.operators) {
    const bool wanted = can_evaluate(op) && op != "Conv";
    EXPECT_TRUE(!wanted || count.passed > 0) << op << " is known, yet none of its cases passed";
  }
}

}  // namespace
}  // namespace tessera::onnx
