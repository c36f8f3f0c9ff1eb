#pragma once
// The forms in which tails give boxes and scores.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/onnx/detect/probe.h"
#include "model/onnx/detect/tables.h"

namespace tessera::onnx {

enum class BoxForm : std::uint8_t { center_pixels, corner_pixels, center_shares, corner_shares, raw };
enum class ScoreForm : std::uint8_t { probabilities, logits, products };
inline constexpr BoxForm kBoxForms[] = {BoxForm::center_pixels, BoxForm::corner_pixels, BoxForm::center_shares,
                                        BoxForm::corner_shares, BoxForm::raw};
inline constexpr ScoreForm kScoreForms[] = {ScoreForm::probabilities, ScoreForm::logits, ScoreForm::products};

/// "cxcywh in pixels".
std::string_view to_string(BoxForm form);

/// Which columns hold what; -1: not there.
struct Columns {
  std::int64_t box = 0, objectness = -1, ones = -1, scores = 0;
};
/// nullopt when a table of so many columns cannot have these forms.
std::optional<Columns> columns_of(const Hypothesis& hypothesis, BoxForm box, ScoreForm score, std::int64_t columns);

/// Row of the prediction for each row of a table: levels descending or not, slots of a cell together or not.
std::vector<std::int64_t> row_order(const Levels& levels, const Hypothesis& hypothesis, bool descending,
                                    bool cells_first);

/// The four numbers of a box (cx, cy, w, h in pixels) in a form other than raw.
std::array<double, 4> in_form(const std::array<double, 4>& box, BoxForm form, const Levels& levels);
/// The inverse.
std::array<double, 4> from_form(const std::array<double, 4>& numbers, BoxForm form, const Levels& levels);

}  // namespace tessera::onnx
