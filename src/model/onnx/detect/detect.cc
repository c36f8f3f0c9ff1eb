#include "model/onnx/detect/detect.h"

#include <algorithm>

#include "base/text.h"
#include "model/onnx/detect/by_hand.h"
#include "model/onnx/detect/confirm.h"
#include "model/onnx/detect/metadata.h"
#include "model/onnx/detect/tail.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

struct Reading {
  Hypothesis hypothesis;
  Confirmed confirmed;
};

/// Cheap: whether one output can be a table or a list of the hypothesis. Several outputs are always worth a look.
bool could_hold(std::span<const Tensor> outputs, const Levels& levels, const Hypothesis& h) {
  if (outputs.size() != 1) return true;
  std::int64_t rows = 0;
  for (const Level& level : levels.levels) rows += level.cells() * h.slots;
  const Tensor& output = outputs.front();
  if (h.form == HeadForm::pair && output.size() % 6 == 0 && output.size() / 6 <= rows) return true;
  const std::int64_t raw = h.formula == BoxFormula::dfl ? 4 * h.bins : 4, columns = output.size() / rows;
  const bool has_columns = columns == h.classes + 4 || columns == h.classes + 5 || columns == h.classes + raw;
  const bool on_an_axis = std::ranges::count(output.dims.begin(), output.dims.end(), columns) > 0;
  return output.size() % rows == 0 && has_columns && on_an_axis;
}

/// What undecoded boxes leave open: nullopt when the tail proves enough of the family.
std::optional<std::string> open_question(const Hypothesis& h, const Confirmed& confirmed) {
  if (confirmed.decoded) return std::nullopt;
  if (h.form == HeadForm::combined) return "its outputs are not decoded, so that the anchors are not in the graph";
  if (h.formula == BoxFormula::ltrb) return "its outputs are not decoded: YOLOv6 and YOLO26 look like this";
  return std::nullopt;
}

Result<Reading> read_tail(const IrGraph& graph, const Cut& cut, const Levels& levels, const ShapeOf& shape_of) {
  std::optional<std::string> reason;
  std::vector<Tensor> outputs;
  for (Hypothesis& h : hypotheses(levels)) {
    if (h.form == HeadForm::combined && cut.tail.empty()) {
      reason = "its outputs are the raw heads, so that the anchors are not in the graph";
      break;
    }
    if (!outputs.empty() && !could_hold(outputs, levels, h)) continue;
    const auto heads = probe_heads(levels, h);
    auto computed = run_tail(graph, cut, heads, shape_of);
    if (!computed) return computed.error();
    outputs = std::move(*computed);
    if (!could_hold(outputs, levels, h)) continue;
    auto confirmed = confirm(levels, h, predict(levels, h, heads), outputs);
    const auto open = confirmed ? open_question(h, *confirmed) : confirmed.error().message;
    if (!open) return Reading{std::move(h), std::move(*confirmed)};
    if (!reason) reason = *open;
  }
  if (!reason && !outputs.empty()) reason = text("outputs ", extents_text(outputs), " fit no family with such heads");
  return Error{Code::unsupported,
               text("found ", shown(levels), ", but ", reason.value_or("no family of detectors has such heads"))};
}

DetectorSpec spec_of(const Levels& levels, const Hypothesis& h, const Confirmed& confirmed,
                     std::vector<Found::Tensor>& out) {
  DetectorSpec spec{.family = std::string(h.family), .classes = h.classes, .heads = {}};
  if (confirmed.end_to_end) {
    spec.family = h.formula == BoxFormula::ltrb ? "yolo26" : "yolov10";
    spec.nms_iou = 0;
  }
  const auto add = [&](const Part& part) {
    const RawHead& head = levels.heads[part.head];
    out.push_back({head.value, part.begin, part.count, part.begin == 0 && part.count == head.channels});
    return static_cast<ValueId>(out.size() - 1);
  };
  for (std::size_t l = 0; l < h.levels.size(); ++l) {
    DetectorHead head{.output = add(h.levels[l].box), .anchors = {}, .scale_xy = confirmed.scale_xy};
    if (h.form == HeadForm::objectness) head.objectness = add(h.levels[l].objectness);
    if (h.form != HeadForm::combined) head.scores = add(h.levels[l].scores);
    if (!confirmed.anchors.empty()) head.anchors = confirmed.anchors[l];
    spec.heads.push_back(std::move(head));
  }
  return spec;
}

/// Some graphs divide by 255 themselves.
bool divides_by_255(const IrGraph& graph) {
  const auto producer = producers(graph);
  for (const IrNode& node : graph.nodes) {
    if (node.input(0) != graph.inputs.front().value) continue;
    const Tensor* by = constant_of(graph, producer, node.input(1));
    if (by == nullptr || by->size() != 1) continue;
    const double factor = node.op == "Div" ? by->at(0) : node.op == "Mul" && by->at(0) != 0 ? 1 / by->at(0) : 1;
    return factor > 254.9 && factor < 255.1;
  }
  return false;
}

/// How the families' own programs prepare photos.
Preprocess preprocess_of(const IrGraph& graph, const Levels& levels, std::int64_t channels, BoxFormula formula) {
  Preprocess out{.width = static_cast<int>(levels.input_width), .height = static_cast<int>(levels.input_height)};
  out.channels = static_cast<int>(channels);
  out.resize = ResizeMode::letterbox;
  out.fill = 114;
  if (divides_by_255(graph)) out.scale = 1.0f;
  if (formula != BoxFormula::yolox) return out;
  out.align = PhotoAlign::top_left;
  out.order = ColorOrder::bgr;
  out.scale = 1.0f;
  return out;
}

/// Metadata must fit what was found; what a user says by hand stands above it.
Status apply_metadata(const IrGraph& graph, const Levels& levels, const ByHand& by_hand, Found& found) {
  auto facts = export_facts(graph.metadata);
  if (!facts) return facts.error();
  const auto wrong = [](std::string_view fact) -> Status {
    return Error{Code::invalid_argument, text("metadata ", fact, "; --family and --heads stand above it")};
  };
  const bool named = facts->names.size() == static_cast<std::size_t>(found.spec.classes);
  if (!by_hand.is_given()) {
    if (!facts->task.empty() && facts->task != "detect") {
      return Error{Code::unsupported, text("metadata says task ", quoted(facts->task), ", want detect")};
    }
    if (!facts->names.empty() && !named) {
      return wrong(text("has ", facts->names.size(), " names for ", found.spec.classes, " classes"));
    }
    const std::int64_t stride = levels.levels.back().stride;
    if (facts->stride && *facts->stride != stride) return wrong(text("says stride ", *facts->stride, " for ", stride));
  }
  if (named) found.class_names = std::move(facts->names);
  const bool resized =
      !facts->imgsz.empty() && (facts->imgsz[0] != levels.input_height || facts->imgsz[1] != levels.input_width);
  if (resized) append_text(found.account, text("; exported for ", facts->imgsz[1], "x", facts->imgsz[0]));
  return {};
}

Result<Reading> read_words(const IrGraph& graph, const Levels& levels, const ByHand& by_hand) {
  auto named = named_hypothesis(graph, levels, by_hand);
  if (!named) return named.error();
  return Reading{std::move(*named), Confirmed{.anchors = {}, .layout = "as named by hand"}};
}

constexpr std::string_view kAdvice =
    ": `tessera run` writes the raw outputs; --family NAME, or --heads box:score,... with it, says what they are";

}  // namespace

Result<Cut> heads_of(const IrGraph& graph, const ByHand& by_hand) {
  if (by_hand.heads.empty()) return cut_at_heads(graph);
  const auto named = named_heads(graph, by_hand);
  if (!named) return named.error();
  Cut cut;
  for (const auto& level : *named) cut.heads.insert(cut.heads.end(), level.begin(), level.end());
  return cut;
}

Result<Found> find_detector(const IrGraph& graph, const Cut& cut, const ByHand& by_hand, const ShapeOf& shape_of) {
  const auto unfound = [](const Error& error) {
    return Error{error.code, error.code == Code::unsupported ? text(error.message, kAdvice) : error.message};
  };
  const auto levels = levels_of(graph, cut, shape_of);
  if (!levels) return unfound(levels.error());
  auto reading = by_hand.is_given() ? read_words(graph, *levels, by_hand) : read_tail(graph, cut, *levels, shape_of);
  if (!reading) return unfound(reading.error());
  const auto& [hypothesis, confirmed] = *reading;
  Found found;
  found.spec = spec_of(*levels, hypothesis, confirmed, found.tensors);
  const ValueId scores = found.spec.heads.front().scores;
  if (by_hand.is_given() && scores != kNone) {
    found.spec.activated = is_activated(graph, found.tensors[static_cast<std::size_t>(scores)].value);
  }
  const std::int64_t channels = (*shape_of(graph.inputs.front().value))[1];
  found.preprocess = preprocess_of(graph, *levels, channels, hypothesis.formula);
  found.account = text(found.spec.family, ": ", shown(*levels), "; ", confirmed.layout);
  if (const auto fits = apply_metadata(graph, *levels, by_hand, found); !fits) return unfound(fits.error());
  return found;
}

void attach(const Found& found, std::span<const ValueId> values, Model& model) {
  std::vector<ValueId> bound;
  for (std::size_t i = 0; i < found.tensors.size(); ++i) {
    const Found::Tensor& tensor = found.tensors[i];
    ValueId id = values[i];
    if (!tensor.whole) {
      const std::string name = text(model.graph.value(id).name, ".channels_", tensor.begin);
      id = model.graph.add(name, SliceAttrs{tensor.begin, tensor.count}, {id});
    }
    bound.push_back(id);
  }
  model.detector = found.spec;
  const auto bind = [&](ValueId& id) {
    if (id != kNone) id = bound[static_cast<std::size_t>(id)];
  };
  for (DetectorHead& head : model.detector->heads) bind(head.output), bind(head.objectness), bind(head.scores);
  model.graph.outputs.clear();
  for (const DetectorHead& head : model.detector->heads) {
    for (const ValueId id : head.tensors()) model.graph.outputs.push_back(id);
  }
  model.preprocess = found.preprocess;
  if (model.class_names.empty()) model.class_names = found.class_names;
}

}  // namespace tessera::onnx
