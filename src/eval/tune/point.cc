#include "eval/tune/point.h"

#include "base/text.h"

namespace tessera::eval {
namespace {

std::string side(int width, int height) { return width == height ? std::to_string(width) : text(width, 'x', height); }

const char* box_step_name(const OperatingPoint& point) {
  if (point.box_step.power_rank) return "v2";
  return point.multi_label ? "multi" : "single";
}

}  // namespace

std::string OperatingPoint::name() const {
  std::string out = text(side(width, height), ' ', mosaic.rows, 'x', mosaic.cols, ' ', box_step_name(*this), ' ',
                         letterbox ? "letterbox" : "stretch", flip ? " flip " : " ", workers, 'x', threads);
  for (const std::string& off : disabled) append_text(out, text(" -", off));
  return out;
}

std::string OperatingPoint::command() const {
  std::string out = text("--size ", side(width, height));
  if (mosaic.tiles() > 1) append_text(out, text(" --mosaic ", mosaic.rows, 'x', mosaic.cols));
  if (multi_label) append_text(out, " --multi-label");
  if (box_step.power_rank) append_text(out, " --power-rank");
  if (box_step.voting_iou) append_text(out, text(" --voting ", *box_step.voting_iou));
  if (box_step.edge_penalty) append_text(out, text(" --edge-penalty ", *box_step.edge_penalty));
  if (box_step.max_per_class > 0) append_text(out, text(" --max-per-class ", box_step.max_per_class));
  append_text(out, letterbox ? " --letterbox" : " --stretch");
  if (flip) append_text(out, " --flip");
  append_text(out, text(" --workers ", workers, " --threads ", threads));
  for (const std::string& off : disabled) append_text(out, text(" --disable ", off));
  return out;
}

void OperatingPoint::apply(DetectorOptions& options) const {
  options.width = width;
  options.height = height;
  options.mosaic = mosaic;
  options.multi_label = multi_label;
  options.box_step = box_step;
  options.letterbox = letterbox;
  options.flip = flip;
  options.threads = threads;
  options.disabled.insert(options.disabled.end(), disabled.begin(), disabled.end());
  options.threshold = 0.001f;
  options.max_detections = 100;
}

bool set_box_step(OperatingPoint& point, const std::string& name) {
  point.multi_label = name != "single";
  point.box_step = {};
  if (name == "v2") {
    point.box_step.power_rank = true;
    point.box_step.voting_iou = 0.75f;
    if (point.mosaic.tiles() > 1) point.box_step.edge_penalty = 0.5f;
    point.box_step.max_per_class = 100;
  }
  return name == "single" || name == "multi" || name == "v2";
}

}  // namespace tessera::eval
