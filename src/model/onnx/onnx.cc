#include "model/onnx/onnx.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "model/onnx/detect/detect.h"
#include "model/onnx/detect/metadata.h"
#include "model/onnx/lower/lower.h"
#include "model/onnx/read/read.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

/// The only input as a picture's contract, where it is one: three channels, two sides.
Preprocess preprocess_of(const Graph& graph) {
  Preprocess out;
  if (graph.inputs.size() != 1) return out;
  const Extents in = extents(graph.value(graph.inputs.front()).spec);
  if (in.c != 3 || in.h < 2 || in.w < 2) return out;
  out.height = static_cast<int>(in.h);
  out.width = static_cast<int>(in.w);
  return out;
}

/// The size that was asked for, else the one that the exporter noted, for files that leave it open.
LowerOptions lower_options(const ModelBytes& bytes, const IrGraph& graph) {
  LowerOptions out{bytes.size, bytes.batch};
  const bool open = std::ranges::any_of(graph.inputs, [](const IrInput& input) {
    return input.dims.size() == 4 && (input.dims[2] < 0 || input.dims[3] < 0);
  });
  if (out.size || !open) return out;
  const auto facts = export_facts(graph.metadata);
  if (facts && facts->imgsz.size() == 2) {
    out.size = InputSize{static_cast<int>(facts->imgsz[0]), static_cast<int>(facts->imgsz[1])};
  }
  return out;
}

Model model_of(const ModelBytes& bytes, Lowered lowered) {
  Model model;
  model.name = bytes.name;
  model.format = kOnnx.name;
  model.graph = std::move(lowered.graph);
  model.axis_orders = std::move(lowered.axis_orders);
  return model;
}

/// Extents of the values that the cut graph has as inputs and outputs.
std::map<int, Dims> extents_at_ends(const IrGraph& graph, std::span<const int> heads, const Model& model) {
  std::map<int, Dims> out;
  const auto note = [&](int id, ValueId value) {
    const auto order = model.axis_orders.find(model.graph.value(value).name);
    if (order == model.axis_orders.end()) return;
    Dims dims;
    for (const std::int64_t extent : order->second.extents) dims.push_back(extent);
    out[id] = dims;
  };
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) note(graph.inputs[i].value, model.graph.inputs[i]);
  for (std::size_t i = 0; i < heads.size(); ++i) note(heads[i], model.graph.outputs[i]);
  return out;
}

/// The network up to its raw heads, which BoxDecode reads. Errors: no detector was found, and why.
Result<Model> load_detector(const ModelBytes& bytes, const IrGraph& graph, const LowerOptions& options) {
  const ByHand by_hand{bytes.detector.family, bytes.detector.heads};
  const auto cut = heads_of(graph, by_hand);
  if (!cut) return cut.error();
  auto lowered = lower(bytes.name, graph, cut->heads, options);
  if (!lowered) return lowered.error();
  Model model = model_of(bytes, std::move(*lowered));
  const auto ends = extents_at_ends(graph, cut->heads, model);
  const auto found = find_detector(graph, *cut, by_hand, [&](int value) {
    const auto dims = ends.find(value);
    return dims == ends.end() ? std::nullopt : std::optional(dims->second);
  });
  if (!found) return found.error();
  std::vector<ValueId> values;
  for (const Found::Tensor& tensor : found->tensors) {
    const auto head = std::ranges::find(cut->heads, tensor.value);
    values.push_back(model.graph.outputs[static_cast<std::size_t>(head - cut->heads.begin())]);
    const Dims& dims = ends.at(tensor.value);
    const Extents e = extents(model.graph.value(values.back()).spec);
    if (dims.size() != 4 || !(Dims{e.n, e.c, e.h, e.w} == dims)) {
      return Error{Code::unsupported, text("head ", tessera::quoted(graph.value(tensor.value).name), " is no image")};
    }
  }
  attach(*found, values, model);
  if (bytes.log) bytes.log(LogLevel::info, found->account);
  return model;
}

Result<Model> load_whole(const ModelBytes& bytes, const IrGraph& graph, const LowerOptions& options) {
  auto lowered = lower(bytes.name, graph, graph.outputs, options);
  if (!lowered) return lowered.error();
  Model model = model_of(bytes, std::move(*lowered));
  model.preprocess = preprocess_of(model.graph);
  return model;
}

Result<Model> load(const ModelBytes& bytes) {
  const auto graph = read(bytes.name, bytes.model, bytes.folder, bytes.file != nullptr);
  if (!graph) return graph.error();
  const LowerOptions options = lower_options(bytes, *graph);
  if (bytes.detector.whole_graph) return load_whole(bytes, *graph, options);
  auto detector = load_detector(bytes, *graph, options);
  const bool named = !bytes.detector.family.empty() || !bytes.detector.heads.empty();
  if (detector || named) return detector;
  auto whole = load_whole(bytes, *graph, options);
  if (whole) whole->why_no_detector = detector.error().message;
  return whole;
}

}  // namespace

const Format kOnnx{"onnx", ".onnx", "ONNX, operator sets 7 to 21, float weights", false, recognizes, load};

}  // namespace tessera::onnx
