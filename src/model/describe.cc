#include "model/describe.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace tessera {
namespace {

std::string window(int kh, int kw, int sh, int sw) {
  std::string out = text(kh, 'x', kw);
  if (sh != 1 || sw != 1) out += sh == sw ? text(" /", sh) : text(" /", sh, 'x', sw);
  return out;
}

std::string act_text(const ActivationSpec& act) {
  return act.kind == Activation::linear ? std::string() : to_string(act.kind);
}

// What distinguishes a node from others of its operator.
std::string detail(const ConvAttrs& a) {
  std::string out = window(a.kh, a.kw, a.sh, a.sw);
  if (a.dh != 1 || a.dw != 1) out += text(" d", a.dh, 'x', a.dw);
  if (a.groups != 1) out += text(" g", a.groups);
  if (a.epilogue.act.kind != Activation::linear) out += text(' ', to_string(a.epilogue.act.kind));
  if (a.epilogue.residual) out += " +residual";
  if (a.epilogue.residual && a.epilogue.post_act.kind != Activation::linear) {
    out += text(' ', to_string(a.epilogue.post_act.kind));
  }
  return out;
}
std::string detail(const FromBytesAttrs&) { return "byte * scale + shift"; }
std::string detail(const PoolAttrs& a) {
  return text(a.kind == PoolAttrs::Kind::max ? "max " : "average ", window(a.kh, a.kw, a.sh, a.sw));
}
std::string detail(const SliceAttrs& a) { return text("channels ", a.begin, " to ", a.begin + a.count - 1); }
std::string detail(const UpsampleAttrs& a) {
  return a.scale == 1.0f ? text(a.factor_h, 'x', a.factor_w) : text(a.factor_h, 'x', a.factor_w, " *", a.scale);
}
std::string detail(const ActivationAttrs& a) { return act_text(a.act); }
std::string detail(const AddAttrs& a) { return act_text(a.act); }
std::string detail(const MulAttrs& a) { return act_text(a.act); }
template <class Other>
std::string detail(const Other&) {
  return {};
}

LayerFacts layer_facts(const Graph& graph, const Node& node) {
  LayerFacts facts{.name = node.name,
                   .op = op_name(node.attrs),
                   .detail = std::visit([](const auto& attrs) { return detail(attrs); }, node.attrs),
                   .inputs = {},
                   .shape = graph.value(node.output).spec.shape,
                   .parameters = parameters(node),
                   .macs = macs(graph, node)};
  if (graph.value(node.output).spec.dtype == DType::UInt8) facts.detail = "bytes";
  for (ValueId id : node.inputs) facts.inputs.push_back(graph.producer(id).name);
  return facts;
}

using Row = std::array<std::string, 7>;
Row titles() { return {"layer", "op", "detail", "output", "parameters", "macs", "inputs"}; }

Row row(const LayerFacts& layer) {
  std::string inputs;
  for (const std::string& input : layer.inputs) inputs += text(inputs.empty() ? "" : " ", input);
  const auto count = [](std::int64_t n) { return n == 0 ? std::string("-") : text(n); };
  return {layer.name,        layer.op, layer.detail, to_string(layer.shape), count(layer.parameters),
          count(layer.macs), inputs};
}

bool is_number_column(std::size_t column) { return column == 4 || column == 5; }

void append_row(std::string& out, const Row& row, const std::array<std::size_t, 7>& widths) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string fill(widths[i] - std::min(widths[i], row[i].size()), ' ');
    out += is_number_column(i) ? fill + row[i] : row[i] + fill;
    out += "  ";
  }
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

std::string table(const std::vector<LayerFacts>& layers) {
  std::vector<Row> rows{titles()};
  for (const LayerFacts& layer : layers) rows.push_back(row(layer));
  std::array<std::size_t, 7> widths{};
  for (const Row& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) widths[i] = std::max(widths[i], r[i].size());
  }
  std::string out;
  for (const Row& r : rows) append_row(out, r, widths);
  return out;
}

std::string head_text(const DetectorHead& head, std::span<const std::string> tensors) {
  std::string out;
  for (const std::string& tensor : tensors) append_text(out, text(out.empty() ? "" : " + ", tensor));
  if (!head.anchors.empty()) out += ", anchors";
  for (const auto& [w, h] : head.anchors) append_text(out, text(' ', w, 'x', h));
  if (head.scale_xy != 1.0f) append_text(out, text(", scale_xy ", head.scale_xy));
  if (head.new_coords) out += ", new coordinates";
  return out;
}

std::string detector_text(const ModelFacts& facts) {
  const DetectorSpec& detector = *facts.detector;
  std::string out = text("detector    ", detector.family, ", ", detector.classes, " classes, nms iou ",
                         detector.nms_iou, detector.activated ? ", activated scores\n" : "\n");
  std::span<const std::string> tensors(facts.outputs);
  for (std::size_t i = 0; i < detector.heads.size(); ++i) {
    const std::size_t count = detector.heads[i].tensors().size();
    append_text(out, text("  head ", i, "    ", head_text(detector.heads[i], tensors.first(count)), "\n"));
    tensors = tensors.subspan(count);
  }
  return out;
}

}  // namespace

ModelFacts describe(const Model& model) {
  ModelFacts facts{.name = model.name,
                   .format = model.format,
                   .preprocess = model.preprocess,
                   .detector = model.detector,
                   .class_names = model.class_names,
                   .layers = {},
                   .outputs = {}};
  for (const Node& node : model.graph.nodes) {
    facts.layers.push_back(layer_facts(model.graph, node));
    facts.parameters += facts.layers.back().parameters;
    facts.macs += facts.layers.back().macs;
  }
  for (ValueId id : model.graph.outputs) facts.outputs.push_back(model.graph.producer(id).name);
  return facts;
}

std::string describe(const Preprocess& p) {
  std::string out =
      text(p.height, 'x', p.width, 'x', p.channels, " (height x width x channels), ",
           p.resize == ResizeMode::stretch ? "stretch" : text("letterbox with ", static_cast<int>(p.fill)),
           p.resize == ResizeMode::letterbox && p.align == PhotoAlign::top_left ? " from the top left, " : ", ",
           p.order == ColorOrder::rgb ? "rgb" : "bgr", ", pixel * ", p.scale);
  if (p.mean != Preprocess{}.mean) out += text(" - (", p.mean[0], ", ", p.mean[1], ", ", p.mean[2], ")");
  if (p.std != Preprocess{}.std) out += text(", / (", p.std[0], ", ", p.std[1], ", ", p.std[2], ")");
  return out;
}

std::string to_text(const ModelFacts& facts) {
  std::string out =
      text("model       ", facts.name, " (", facts.format, ")\ninput       ", describe(facts.preprocess), "\n");
  if (facts.detector) out += detector_text(facts);
  out += text("parameters  ", facts.parameters, "\nmacs        ", facts.macs, "\n\n");
  return out + table(facts.layers);
}

}  // namespace tessera
