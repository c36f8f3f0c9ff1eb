#include "model/onnx/node_cases.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "model/onnx/read/read.h"
#include "model/onnx/read/tensor.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// input_0.pb, input_1.pb, ... of the declared types. The project's files hold bfloat16 as unsigned integers, as NumPy
/// has no such type; its numbers lie in the message as those would.
template <class Declared>
Result<std::vector<Tensor>> tensors(const fs::path& folder, const std::string& stem, const Declared& values) {
  std::vector<Tensor> out;
  for (const auto& value : values) {
    const std::string file = text(stem, out.size(), ".pb");
    if (!value.type().has_tensor_type()) return Error{Code::unsupported, text(file, " is no tensor")};
    ::onnx::TensorProto proto;
    if (!proto.ParseFromString(bytes_of(folder / file))) return Error{Code::corrupt, text(file, " is no tensor")};
    const auto bfloat16 = ::onnx::TensorProto::BFLOAT16;
    if (value.type().tensor_type().elem_type() == bfloat16) proto.set_data_type(bfloat16);
    auto tensor = read_tensor(proto, file, {});
    if (!tensor) return tensor.error();
    out.push_back(std::move(*tensor));
  }
  return out;
}

bool near(const Tensor& tensor, double got, double want) {
  if (!tensor.is_real()) return got == want;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  return got == want || std::fabs(got - want) <= 1e-7 + 1e-3 * std::fabs(want);
}

}  // namespace

fs::path node_cases_folder() {
  const char* given = std::getenv("TESSERA_ONNX_TESTDATA");
  const fs::path folder = given != nullptr ? given : "/usr/share/libonnx-testdata/data/node";
  return fs::is_directory(folder) ? folder : fs::path();
}

std::vector<fs::path> node_case_folders() {
  std::vector<fs::path> out;
  if (node_cases_folder().empty()) return out;
  for (const auto& entry : fs::directory_iterator(node_cases_folder())) {
    if (fs::exists(entry.path() / "model.onnx")) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

Result<NodeCase> load_node_case(const fs::path& folder) {
  const std::string name = folder.filename().string();
  ::onnx::ModelProto model;
  if (!model.ParseFromString(bytes_of(folder / "model.onnx"))) return Error{Code::corrupt, text(name, " is no model")};
  // A case of an older operator set is of an operator that has not changed since.
  for (auto& opset : *model.mutable_opset_import())
    opset.set_version(std::max<std::int64_t>(opset.version(), kOldestOpset));
  const std::string bytes = model.SerializeAsString();
  auto graph = read(name, std::as_bytes(std::span(bytes)), {});
  if (!graph) return graph.error();
  const fs::path data = folder / "test_data_set_0";
  auto inputs = tensors(data, "input_", model.graph().input());
  if (!inputs) return inputs.error();
  auto outputs = tensors(data, "output_", model.graph().output());
  if (!outputs) return outputs.error();
  return NodeCase{std::move(*graph), std::move(*inputs), std::move(*outputs)};
}

std::string difference(const Tensor& got, const Tensor& want) {
  if (got.is_real() != want.is_real()) return "is of another kind";
  if (got.dims != want.dims) return text("is ", shown(got.dims), ", not ", shown(want.dims));
  if (got.size() != want.size()) return text("has ", got.size(), " numbers");
  std::int64_t wrong = 0, worst = 0;
  for (std::int64_t i = 0; i < want.size(); ++i) {
    if (near(want, got.at(i), want.at(i))) continue;
    const double apart = std::fabs(got.at(i) - want.at(i)), before = std::fabs(got.at(worst) - want.at(worst));
    if (wrong++ == 0 || !(apart <= before)) worst = i;
  }
  if (wrong == 0) return "";
  return text(wrong, " of ", want.size(), " numbers differ, most at ", worst, ": ", got.at(worst), ", not ",
              want.at(worst));
}

std::string tally_name(const IrGraph& graph) {
  return graph.nodes.size() == 1 ? graph.nodes.front().op : "(several operators)";
}

std::string NodeTally::table() const {
  std::string out;
  Count sum;
  for (const auto& [name, count] : operators) {
    out += text(name, ": ", count.passed, " passed, ", count.unsupported, " unsupported\n");
    sum.passed += count.passed, sum.unsupported += count.unsupported;
  }
  return out + text("together: ", sum.passed, " passed, ", sum.unsupported, " unsupported\n");
}

}  // namespace tessera::onnx
