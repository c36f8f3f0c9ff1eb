#pragma once
// How the rules of check_inference are tested: a valid request, one change, the code.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

using enum ErrorCode;
using Change = std::function<void(Case&)>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// BF16, so that the rules on physical channels apply: pixels of 32 channels hold the 21 logical ones.
inline Case bf16_case() {
  Case c = yolo_v4_case();
  for (int i = 0; i < 3; ++i)
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::BFloat16, 8 >> i, 8 >> i, 21, 32);
  return c;
}
inline Case int8_case() {
  Case c = yolo_v4_case();
  for (int i = 0; i < 3; ++i) c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Int8, 8 >> i, 8 >> i, 21, 32);
  return c;
}
inline Case grid_case() { return one_head_case(4, 4, 2, 2); }

inline Shape& strides(Case& c, std::size_t port = 0) { return std::get<Strided>(c.inputs[port].layout).byte_strides; }

inline void expect_ok(Case c, const Change& change, const char* what) {
  change(c);
  const auto plan = check_inference(c.request());
  EXPECT_TRUE(plan.has_value()) << what << ": " << (plan ? "" : to_string(plan.error()));
}

inline void expect_code(Case c, const Change& change, ErrorCode code, const char* what) {
  change(c);
  const auto plan = check_inference(c.request());
  ASSERT_FALSE(plan.has_value()) << what;
  EXPECT_EQ(plan.error().code, code) << what << ": " << to_string(plan.error());
  const std::string line = to_string(plan.error());
  EXPECT_EQ(line.find(to_string(code)), 0u) << line;
  EXPECT_GT(std::string_view(plan.error().field).size(), 2u) << line;
  EXPECT_GT(std::string_view(plan.error().wish).size(), 5u) << line;
}

// The change is an expression on `c`, and its text names the row when it fails.
#define GOOD(valid, expression) \
  expect_ok(                    \
      valid, [](Case& c) { expression; }, #expression)
#define BAD(valid, expression, code) \
  expect_code(                       \
      valid, [](Case& c) { expression; }, code, #expression)

inline void set_mosaic(Case& c, std::int32_t rows, std::int32_t cols) {
  c.params.mosaic = {rows, cols};
  c.fit_outputs();
}

inline void set_heads(Case& c, std::size_t heads) {
  c.inputs.assign(heads, c.inputs[0]);
  c.params.anchor_grid.assign(heads, c.params.anchor_grid[0]);
  c.params.heads.clear();
  for (std::size_t i = 0; i < heads; ++i) c.params.heads.push_back(Head::combined(static_cast<std::int32_t>(i)));
}

}  // namespace tessera::boxdecode::testing
