#pragma once
// Nodes and tensors of the evaluator's tests, in few words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/onnx/evaluate/evaluate.h"

namespace tessera::onnx {

using Numbers = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

inline Tensor reals(const Dims& dims, std::vector<float> values) { return real_tensor(dims, std::move(values)); }
inline Tensor ints(const Dims& dims, Numbers values) { return integer_tensor(dims, std::move(values)); }
inline Tensor ints(Numbers values) {
  const Dims dims{std::ssize(values)};
  return integer_tensor(dims, std::move(values));
}
inline Tensor truths(const Dims& dims, Numbers values) {
  return integer_tensor(dims, std::move(values), Kind::boolean);
}
/// first, first + 1, ... in row-major order.
inline Tensor counted(const Dims& dims, float first = 0) {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims) count *= extent;
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(first + static_cast<float>(i));
  return reals(dims, std::move(values));
}

/// A call of one operator. Inputs that are nullopt are absent.
struct TestCall {
  std::string op;
  std::vector<std::optional<Tensor>> inputs;
  Attributes attributes = {};
  std::int64_t opset = 13;
  std::size_t outputs = 1;

  Result<std::vector<Tensor>> run() const {
    IrNode node;
    node.op = op, node.name = "it", node.attributes = attributes;
    std::vector<const Tensor*> given;
    for (const auto& input : inputs) {
      node.inputs.push_back(input ? static_cast<int>(given.size()) : kAbsent);
      given.push_back(input ? &*input : nullptr);
    }
    for (std::size_t i = 0; i < outputs; ++i) node.outputs.push_back(100 + static_cast<int>(i));
    return evaluate(node, given, opset);
  }
};

inline std::string error_of(const TestCall& call) {
  const auto result = call.run();
  return result.has_value() ? "no error" : result.error().message;
}

/// The call's only output; a failed call fails the test and gives an empty tensor.
inline Tensor result_of(const TestCall& call) {
  const auto result = call.run();
  if (result.has_value() && result->size() == 1) return result->front();
  ADD_FAILURE() << call.op << ": " << (result.has_value() ? "no single output" : result.error().message);
  return {};
}

inline void expect_tensor(const Tensor& got, const Tensor& want) {
  EXPECT_EQ(got.kind, want.kind);
  EXPECT_EQ(got.dims, want.dims);
  ASSERT_EQ(got.is_real(), want.is_real());
  if (want.is_real()) {
    ASSERT_NE(got.reals, nullptr);
    EXPECT_EQ(*got.reals, *want.reals);
  } else {
    ASSERT_NE(got.integers, nullptr);
    EXPECT_EQ(*got.integers, *want.integers);
  }
}

/// Exactly these numbers.
inline void expect_result(const TestCall& call, const Tensor& want) {
  SCOPED_TRACE(call.op);
  expect_tensor(result_of(call), want);
}

/// Each within one unit in the last place of f32: computed in double, rounded once, while the expected decimal is
/// rounded as well.
inline void expect_near(const TestCall& call, const std::vector<float>& want) {
  SCOPED_TRACE(call.op);
  const Tensor got = result_of(call);
  ASSERT_TRUE(got.is_real() && got.reals != nullptr);
  ASSERT_EQ(got.reals->size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_FLOAT_EQ((*got.reals)[i], want[i]) << "number " << i;
}

}  // namespace tessera::onnx
