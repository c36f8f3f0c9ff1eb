#include "model/onnx/detect/readings.h"

#include <algorithm>

namespace tessera::onnx {
namespace {

bool is_corners(BoxForm form) { return form == BoxForm::corner_pixels || form == BoxForm::corner_shares; }
bool is_shares(BoxForm form) { return form == BoxForm::center_shares || form == BoxForm::corner_shares; }

std::array<double, 4> scaled(std::array<double, 4> numbers, double x, double y) {
  return {numbers[0] * x, numbers[1] * y, numbers[2] * x, numbers[3] * y};
}

}  // namespace

std::string_view to_string(BoxForm form) {
  switch (form) {
    case BoxForm::center_pixels:
      return "cxcywh in pixels";
    case BoxForm::corner_pixels:
      return "xyxy in pixels";
    case BoxForm::center_shares:
      return "cxcywh as shares of the input";
    case BoxForm::corner_shares:
      return "xyxy as shares of the input";
    case BoxForm::raw:
      return "undecoded boxes";
  }
  return "";
}

std::optional<Columns> columns_of(const Hypothesis& h, BoxForm box, ScoreForm score, std::int64_t columns) {
  const std::int64_t boxes = box == BoxForm::raw && h.formula == BoxFormula::dfl ? 4 * h.bins : 4;
  const std::int64_t without = boxes + h.classes;
  if (h.form == HeadForm::pair) {
    if (score == ScoreForm::products) return std::nullopt;
    if (columns == without) return Columns{0, -1, -1, boxes};
    if (columns == without + 1) return Columns{0, -1, boxes, boxes + 1};  // YOLOv6 writes an objectness of 1
    return std::nullopt;
  }
  if (score == ScoreForm::products) {
    return columns == without ? std::optional(Columns{0, -1, -1, boxes}) : std::nullopt;
  }
  return columns == without + 1 ? std::optional(Columns{0, boxes, -1, boxes + 1}) : std::nullopt;
}

std::vector<std::int64_t> row_order(const Levels& levels, const Hypothesis& h, bool descending, bool cells_first) {
  std::vector<std::int64_t> first{0};
  for (const Level& level : levels.levels) first.push_back(first.back() + level.cells() * h.slots);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < levels.levels.size(); ++i) {
    const std::size_t l = descending ? levels.levels.size() - 1 - i : i;
    const std::int64_t cells = levels.levels[l].cells(), rows = cells * h.slots;
    for (std::int64_t j = 0; j < rows; ++j) {
      out.push_back(first[l] + (cells_first ? j % h.slots * cells + j / h.slots : j));
    }
  }
  return out;
}

std::array<double, 4> in_form(const std::array<double, 4>& box, BoxForm form, const Levels& levels) {
  const auto [cx, cy, w, h] = box;
  std::array<double, 4> out = box;
  if (is_corners(form)) out = {cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2};
  if (!is_shares(form)) return out;
  return scaled(out, 1.0 / static_cast<double>(levels.input_width), 1.0 / static_cast<double>(levels.input_height));
}

std::array<double, 4> from_form(const std::array<double, 4>& numbers, BoxForm form, const Levels& levels) {
  std::array<double, 4> out = numbers;
  if (is_shares(form)) {
    out = scaled(out, static_cast<double>(levels.input_width), static_cast<double>(levels.input_height));
  }
  if (!is_corners(form)) return out;
  return {(out[0] + out[2]) / 2, (out[1] + out[3]) / 2, out[2] - out[0], out[3] - out[1]};
}

}  // namespace tessera::onnx
