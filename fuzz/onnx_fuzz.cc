// Any bytes as an ONNX file, and as the text form of one: the seeds are text, because a changed line still is a message
// and a changed byte mostly is none. What is accepted must be a graph that verifies, with axes that fit its tensors.

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/load.h"
#include "model/native/native.h"
#include "model/onnx/lower/lower.h"
#include "model/onnx/read/read.h"

namespace {

using namespace tessera;
namespace importer = tessera::onnx;

struct Silent : google::protobuf::io::ErrorCollector {
  void AddError(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
};

/// The bytes of the model that the text describes; empty when it describes none.
std::string from_text(std::string_view text) {
  Silent silent;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silent);
  parser.SetRecursionLimit(16);
  ::onnx::ModelProto model;
  return parser.ParseFromString(std::string(text), &model) ? model.SerializeAsString() : std::string();
}

void must(bool ok) {
  if (!ok) std::abort();
}

/// Every axis once, and as many numbers as the value has.
void check_order(const AxisOrder& order, const TensorSpec& spec) {
  std::vector<bool> seen(order.extents.size());
  std::int64_t elements = 1;
  for (const int axis : order.order) {
    must(axis >= 0 && static_cast<std::size_t>(axis) < seen.size() && !seen[static_cast<std::size_t>(axis)]);
    seen[static_cast<std::size_t>(axis)] = true;
    elements *= order.extents[static_cast<std::size_t>(axis)];
  }
  const Extents e = extents(spec);
  must(order.order.size() == seen.size() && elements == e.n * e.h * e.w * e.c);
}

void check(const importer::Lowered& lowered) {
  const Graph& graph = lowered.graph;
  must(verify(graph).has_value());
  for (const auto* ids : {&graph.inputs, &graph.outputs}) {
    for (const ValueId id : *ids) {
      const auto order = lowered.axis_orders.find(graph.value(id).name);
      must(order != lowered.axis_orders.end());
      check_order(order->second, graph.value(id).spec);
    }
  }
}

Result<Model> load(std::span<const std::byte> file, const std::string& name) {
  return load_model(
      ModelBytes{.name = name, .model = file, .weights = {}, .names = {}, .size = {}, .log = {}, .batch = 2});
}

void round_trip(const Model& model) {
  const std::string file = native_bytes(model);
  const auto again = load(std::as_bytes(std::span(file)), model.name);
  // The one thing that ONNX may hold and the native format may not: write_native refuses it.
  if (!again) return must(again.error().message.find("want a finite one") != std::string::npos);
  must(native_bytes(*again) == file);
}

void try_file(std::string_view file) {
  const auto bytes = std::as_bytes(std::span(file));
  const auto graph = importer::read("fuzz.onnx", bytes, {});
  if (!graph) return;
  const auto lowered = importer::lower("fuzz.onnx", *graph, graph->outputs, {InputSize{32, 32}, 1});
  if (lowered) check(*lowered);
  // The door that users take: other sizes, the search for a detector, and what convert writes.
  if (const auto model = load(bytes, "fuzz.onnx")) round_trip(*model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try_file(input);
  if (const std::string file = from_text(input); !file.empty()) try_file(file);
  return 0;
}
