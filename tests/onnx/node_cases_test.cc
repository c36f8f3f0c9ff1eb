// The importer and the devices over the ONNX project's own cases: a wrong answer fails, and so does a refusal of an
// operator that the engine has, unless the list below says why.

#include "model/onnx/node_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "base/text.h"
#include "model/onnx/evaluate/evaluate.h"
#include "model/onnx/lower/operators.h"
#include "run_graph.h"

namespace tessera::testing {
namespace {

using onnx::NodeCase;
using onnx::Tensor;

constexpr std::int64_t kExact = std::int64_t{1} << 24;  // integers that f32 holds

/// Outputs come as reals: as the kind that the case wants.
Tensor as_kind(const Tensor& tensor, onnx::Kind kind) {
  if (kind == onnx::Kind::real) return tensor;
  std::vector<std::int64_t> numbers;
  for (const float number : *tensor.reals) numbers.push_back(static_cast<std::int64_t>(number));
  return onnx::integer_tensor(tensor.dims, std::move(numbers), kind);
}

/// The case with its inputs from `known` on as constants of the graph, and the others' extents as they are.
NodeCase with_constants(const NodeCase& test, std::size_t known) {
  NodeCase out = test;
  for (std::size_t i = 0; i < out.graph.inputs.size(); ++i) {
    onnx::IrInput& input = out.graph.inputs[i];
    input.dims = test.inputs[i].dims;
    if (i >= known) out.graph.values[static_cast<std::size_t>(input.value)].constant = test.inputs[i];
  }
  out.graph.inputs.resize(std::min(known, out.graph.inputs.size()));
  out.inputs.resize(out.graph.inputs.size());
  return out;
}

bool fits(const Tensor& tensor) {
  if (tensor.is_real()) return true;
  return std::ranges::all_of(*tensor.integers, [](std::int64_t v) { return v <= kExact && v >= -kExact; });
}

/// "" when every device gives what the case says; an error when the importer or a device refuses.
Result<std::string> run(const NodeCase& test) {
  if (!std::ranges::all_of(test.inputs, fits) || !std::ranges::all_of(test.outputs, fits)) {
    return Error{Code::unsupported, "integers beyond 2^24"};
  }
  const auto lowered = onnx::lower(test.graph.name, test.graph, test.graph.outputs, {});
  if (!lowered) return lowered.error();
  if (const Status status = verify(lowered->graph); !status) return text("verify: ", status.error().message);
  for (const PrepareOptions& device : devices_to_test()) {
    const auto outputs = run_lowered(*lowered, test.inputs, device);
    if (!outputs) return outputs.error();
    for (std::size_t i = 0; i < test.outputs.size(); ++i) {
      const std::string wrong = onnx::difference(as_kind((*outputs)[i], test.outputs[i].kind), test.outputs[i]);
      if (!wrong.empty()) return text(name_of(device), ", output ", i, ' ', wrong);
    }
  }
  return std::string();
}

struct Outcome {
  Result<std::string> result;
  const char* how;
};
/// Inputs that a network would have as constants (axes, shapes, sizes) are tried as such after all at run time.
Outcome run_somehow(const NodeCase& test) {
  Outcome out{run(with_constants(test, test.inputs.size())), "run"};
  if (!out.result && test.inputs.size() > 1) out = {run(with_constants(test, 1)), "known"};
  if (!out.result && !test.inputs.empty()) out = {run(with_constants(test, 0)), "folded"};
  return out;
}

/// Cases of operators that the engine has and that it refuses all the same. Sorted; a name ending in * is a beginning.
struct Gap {
  std::string_view cases;
  const char* why;
};
constexpr Gap kGaps[] = {
    {"test_averagepool_1d_default", "windows over pictures: two axes"},
    {"test_averagepool_3d_default", "windows over pictures: two axes"},
    {"test_batchnorm_epsilon_training_mode", "no training"},
    {"test_batchnorm_example_training_mode", "no training"},
    {"test_convtranspose*", "only strides equal to the kernel, as detectors write it"},
    {"test_maxpool_1d_default", "windows over pictures: two axes"},
    {"test_maxpool_3d_default", "windows over pictures: two axes"},
    {"test_maxpool_with_argmax_2d_precomputed_*", "no positions of maxima"},
    {"test_reshape_allowzero_reordered", "no tensors without elements"},
    {"test_resize_downsample_scales_cubic*", "no cubic interpolation"},
    {"test_resize_downsample_sizes_cubic", "no cubic interpolation"},
    {"test_resize_upsample_scales_cubic*", "no cubic interpolation"},
    {"test_resize_upsample_sizes_cubic", "no cubic interpolation"},
    {"test_slice_start_out_of_bounds", "no tensors without elements"},
    {"test_split_zero_size_splits", "no tensors without elements"},
    {"test_training_dropout", "no training"},
    {"test_training_dropout_default", "no training"},
    {"test_training_dropout_default_mask", "no training"},
    {"test_training_dropout_mask", "no training"},
};
static_assert(std::ranges::is_sorted(kGaps, std::ranges::less{}, &Gap::cases));

/// Answers that the specification or its implementations have left behind since 2022.
constexpr std::string_view kOutdated[] = {
    "test_cast_FLOAT_to_BFLOAT16",                         // cut down, where the specification rounds
    "test_castlike_FLOAT_to_BFLOAT16_expanded",            // the same
    "test_resize_downsample_scales_linear_align_corners",  // divides by 1.4; ONNX Runtime too takes the 1 of the result
};

bool is_gap_of(const Gap& gap, std::string_view name) {
  if (!gap.cases.ends_with('*')) return name == gap.cases;
  return name.starts_with(gap.cases.substr(0, gap.cases.size() - 1));
}

struct Count {
  std::map<std::string, int> passed;  // by how
  int refused = 0;
};
using Table = std::map<std::string, Count>;

void try_case(const std::filesystem::path& folder, Table& table) {
  const std::string name = folder.filename().string();
  const auto test = onnx::load_node_case(folder);
  if (!test || std::ranges::count(kOutdated, name) > 0) return;
  const std::string op = onnx::tally_name(test->graph);
  const bool is_gap = std::ranges::any_of(kGaps, [&](const Gap& gap) { return is_gap_of(gap, name); });
  const auto [result, how] = run_somehow(*test);
  if (!result) {
    ++table[op].refused;
    EXPECT_TRUE(is_gap || onnx::find_operator(op) == nullptr) << name << " is refused: " << result.error().message;
    return;
  }
  EXPECT_EQ(*result, "") << name << " (" << how << ")";
  EXPECT_FALSE(is_gap) << name << " passes now: take it from the list";
  ++table[op].passed[how];
}

std::string as_text(const Table& table) {
  std::string out;
  int passed = 0, refused = 0;
  for (const auto& [op, count] : table) {
    append_text(out, text(op, ":"));
    for (const auto& [how, cases] : count.passed)
      append_text(out, text(' ', cases, " passed (", how, "),")), passed += cases;
    append_text(out, text(' ', count.refused, " unsupported\n"));
    refused += count.refused;
  }
  return out + text("together: ", passed, " passed, ", refused, " unsupported\n");
}

TEST(OnnxNodes, TheProjectsOwnCasesOnEveryDevice) {
  const auto folders = onnx::node_case_folders();
  if (folders.empty()) GTEST_SKIP() << "no node tests: install libonnx-testdata or set TESSERA_ONNX_TESTDATA";
  Table table;
  for (const auto& folder : folders) try_case(folder, table);
  std::cout << as_text(table);
  for (const onnx::Operator& op : onnx::operators()) {
    const auto found = table.find(std::string(op.name));
    const bool wanted = found != table.end() && op.name != "ConvTranspose";
    EXPECT_FALSE(wanted && found->second.passed.empty()) << op.name << ": none of its cases passed";
  }
}

}  // namespace
}  // namespace tessera::testing
