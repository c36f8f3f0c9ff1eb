#pragma once
// For tests: the ONNX project's own cases, one small graph each with inputs and the answers that its reference gave.
// Debian's package libonnx-testdata installs them.

#include <tessera/result.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/onnx/ir.h"

namespace tessera::onnx {

/// The environment's TESSERA_ONNX_TESTDATA, or where the package puts them; empty when there are none.
std::filesystem::path node_cases_folder();
/// The folders of all cases, sorted.
std::vector<std::filesystem::path> node_case_folders();

/// A case as read; graphs that reading refuses, or whose data are no tensors, give the refusal.
struct NodeCase {
  IrGraph graph;
  std::vector<Tensor> inputs, outputs;  ///< as the graph lists them
};
Result<NodeCase> load_node_case(const std::filesystem::path& folder);

/// "" when equal within the tolerance of the ONNX project's own runner: |got - want| <= 1e-7 + 1e-3 |want| for reals,
/// exactly for others. Else the worst place with both values, or what differs in kind or shape.
std::string difference(const Tensor& got, const Tensor& want);

/// Operators by what became of their cases.
struct NodeTally {
  struct Count {
    int passed = 0, unsupported = 0;
  };
  std::map<std::string, Count> operators;
  /// One line per operator, then the sums.
  std::string table() const;
};
/// What a case counts as: its operator, or, for one that is written out in others, what that is called.
std::string tally_name(const IrGraph& graph);

}  // namespace tessera::onnx
