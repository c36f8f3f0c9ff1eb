#include "model/onnx/detect/confirm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "model/onnx/detect/end_to_end.h"
#include "model/onnx/detect/readings.h"

namespace tessera::onnx {
namespace {

/// One way to read a table.
struct Reading {
  const Table& table;
  const std::vector<std::int64_t>& order;
  BoxForm box;
  ScoreForm score;
  Columns columns;
};

/// How far a reading agreed, and what then did not.
struct Outcome {
  std::int64_t rows = 0;
  std::string mismatch;  ///< empty: everything agreed
};

class Comparison {
 public:
  Comparison(const Levels& levels, const Hypothesis& h, const Prediction& p) : levels_(levels), h_(h), p_(p) {}

  Outcome compare(const Reading& reading, Confirmed& out) const {
    std::vector<std::array<double, 4>> boxes = p_.boxes;
    if (h_.form == HeadForm::combined && reading.box != BoxForm::raw) {
      if (!read_anchors(reading, out)) return {0, "sizes in the first cells are no anchors"};
      if (h_.formula == BoxFormula::exp) out.scale_xy = read_scale(reading);
      apply(out, boxes);
    }
    const double tolerance = pixel_tolerance(reading.box, boxes);
    for (std::int64_t row = 0; row < reading.table.rows; ++row) {
      const auto index = static_cast<std::size_t>(reading.order[static_cast<std::size_t>(row)]);
      std::string mismatch = compare_box(reading, row, index, boxes[index], tolerance);
      if (mismatch.empty()) mismatch = compare_scores(reading, row, index);
      if (!mismatch.empty()) return {row, std::move(mismatch)};
    }
    return {reading.table.rows, {}};
  }

 private:
  /// The table's row of a level's slot in cell (x, 0).
  std::int64_t row_at(const Reading& reading, std::size_t level, int slot, std::int64_t x) const {
    std::int64_t row = slot * levels_.levels[level].cells() + x;
    for (std::size_t l = 0; l < level; ++l) row += p_.level_rows[l];
    return std::ranges::find(reading.order, row) - reading.order.begin();
  }
  std::array<double, 4> box_at(const Reading& reading, std::int64_t row) const {
    std::array<double, 4> numbers{};
    for (std::size_t i = 0; i < 4; ++i) numbers[i] = reading.table.at(row, static_cast<std::int64_t>(i));
    return from_form(numbers, reading.box, levels_);
  }

  /// In the first cell of a level a size is its anchor, for the probe is 0 there.
  bool read_anchors(const Reading& reading, Confirmed& out) const {
    out.anchors.assign(levels_.levels.size(), {});
    for (std::size_t l = 0; l < levels_.levels.size(); ++l) {
      for (int slot = 0; slot < h_.slots; ++slot) {
        const auto box = box_at(reading, row_at(reading, l, slot, 0));
        std::array<float, 2> anchor{};
        for (std::size_t i = 0; i < 2; ++i) {
          if (!std::isfinite(box[2 + i]) || box[2 + i] <= 0) return false;
          anchor[i] = tidy(box[2 + i], reading.box);
        }
        out.anchors[l].push_back(anchor);
      }
    }
    return true;
  }

  /// Sizes that were differences or shares are off by a rounding: thousandths of a pixel are what people write.
  static float tidy(double size, BoxForm form) {
    if (form == BoxForm::center_pixels) return static_cast<float>(size);
    const double near = std::round(size * 1000) / 1000;
    return static_cast<float>(std::abs(size - near) < 1e-4 * std::max(1.0, size / 64) ? near : size);
  }

  /// cx = (scale * (sig(tx) - 1/2) + 1/2 + col) * stride, told by the second cell; four decimals are what people write.
  float read_scale(const Reading& reading) const {
    const auto index = static_cast<std::size_t>(levels_.levels[0].width > 1 ? 1 : 0);
    const double slope = logistic(p_.raw_box[index][0]) - 0.5;
    if (slope == 0) return 1.0f;
    const auto col = static_cast<double>(p_.rows[index].x);
    const double cx = box_at(reading, row_at(reading, 0, 0, p_.rows[index].x))[0];
    const double scale = (cx / static_cast<double>(levels_.levels[0].stride) - col - 0.5) / slope;
    return static_cast<float>(std::round(scale * 1e4) / 1e4);
  }

  void apply(const Confirmed& found, std::vector<std::array<double, 4>>& boxes) const {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Row& row = p_.rows[i];
      const auto& anchor = found.anchors[row.level][static_cast<std::size_t>(row.slot)];
      boxes[i][2] *= anchor[0];
      boxes[i][3] *= anchor[1];
      if (h_.formula != BoxFormula::exp) continue;
      const double stretch = (found.scale_xy - 1.0) * static_cast<double>(levels_.levels[row.level].stride);
      boxes[i][0] += (logistic(p_.raw_box[i][0]) - 0.5) * stretch;
      boxes[i][1] += (logistic(p_.raw_box[i][1]) - 0.5) * stretch;
    }
  }

  /// Every operator of a tail rounds once, to 2^-24 of numbers that never exceed the largest coordinate or size; the
  /// longest tails have about twenty on a coordinate's way. Anchors that were read off corners carry one such rounding
  /// of their own, times the largest factor of a size, e^2 < 8.
  double pixel_tolerance(BoxForm form, const std::vector<std::array<double, 4>>& boxes) const {
    double largest = static_cast<double>(std::max(levels_.input_width, levels_.input_height));
    for (const auto& box : boxes) {
      for (std::size_t i = 0; i < 2; ++i) largest = std::max(largest, std::abs(box[i]) + std::abs(box[i + 2]));
    }
    const double rounding = h_.form == HeadForm::combined && form != BoxForm::center_pixels ? 8 : 1;
    return kRoundings * rounding * largest;
  }

  std::string compare_box(const Reading& reading, std::int64_t row, std::size_t index, const std::array<double, 4>& box,
                          double tolerance) const {
    if (reading.box == BoxForm::raw) {
      const std::vector<double>& raw = p_.raw_box[index];
      for (std::size_t i = 0; i < raw.size(); ++i) {
        if (reading.table.at(row, static_cast<std::int64_t>(i)) != static_cast<float>(raw[i])) {
          return told(reading, row, static_cast<std::int64_t>(i), raw[i]);
        }
      }
      return {};
    }
    const auto want = in_form(box, reading.box, levels_);
    const auto smaller = static_cast<double>(std::min(levels_.input_width, levels_.input_height));
    const bool shares = reading.box == BoxForm::center_shares || reading.box == BoxForm::corner_shares;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto column = static_cast<std::int64_t>(i);
      const double off = std::abs(reading.table.at(row, column) - want[i]);
      if (!(off <= (shares ? tolerance / smaller : tolerance))) return told(reading, row, column, want[i]);
    }
    return {};
  }

  std::string compare_scores(const Reading& reading, std::int64_t row, std::size_t index) const {
    const auto differs = [&](std::int64_t column, double want) {
      return !(std::abs(reading.table.at(row, column) - want) <= kRoundings * std::max(1.0, std::abs(want)));
    };
    const bool logits = reading.score == ScoreForm::logits;
    const auto value = [&](double logit) { return logits ? logit : logistic(logit); };
    const Columns& c = reading.columns;
    if (c.ones >= 0 && reading.table.at(row, c.ones) != 1.0f) return told(reading, row, c.ones, 1.0);
    const double objectness = p_.objectness.empty() ? 0 : value(p_.objectness[index]);
    if (c.objectness >= 0 && differs(c.objectness, objectness)) return told(reading, row, c.objectness, objectness);
    for (std::int64_t k = 0; k < h_.classes; ++k) {
      double want = value(p_.scores[index][static_cast<std::size_t>(k)]);
      if (reading.score == ScoreForm::products) want *= objectness;
      if (differs(c.scores + k, want)) return told(reading, row, c.scores + k, want);
    }
    return {};
  }

  std::string told(const Reading& reading, std::int64_t row, std::int64_t column, double want) const {
    return text("read as ", reading.table.layout, " with ", to_string(reading.box), ", row ", row, " column ", column,
                " is ", reading.table.at(row, column), " where the formula of ", h_.family, " gives ",
                static_cast<float>(want));
  }

  const Levels& levels_;
  const Hypothesis& h_;
  const Prediction& p_;
};

/// Orders in which tails list the rows.
std::vector<std::vector<std::int64_t>> row_orders(const Levels& levels, const Hypothesis& h) {
  std::vector<std::vector<std::int64_t>> out{row_order(levels, h, false, false), row_order(levels, h, true, false)};
  if (h.slots == 1) return out;
  out.push_back(row_order(levels, h, false, true));
  out.push_back(row_order(levels, h, true, true));
  return out;
}

/// Tries every reading of the table until one agrees; keeps the mismatch of the one that went furthest.
bool agrees(const Comparison& comparison, const Hypothesis& h, const Table& table,
            std::span<const std::vector<std::int64_t>> orders, Outcome& best, Confirmed& out) {
  for (const auto& order : orders) {
    for (const BoxForm box : kBoxForms) {
      for (const ScoreForm score : kScoreForms) {
        const auto columns = columns_of(h, box, score, table.columns);
        if (!columns) continue;
        out = {.decoded = box != BoxForm::raw, .anchors = {}, .layout = text(to_string(box), ", ", table.layout)};
        Outcome outcome = comparison.compare({table, order, box, score, *columns}, out);
        if (outcome.mismatch.empty()) return true;
        if (best.mismatch.empty() || outcome.rows > best.rows) best = std::move(outcome);
      }
    }
  }
  return false;
}

}  // namespace

Result<Confirmed> confirm(const Levels& levels, const Hypothesis& h, const Prediction& p,
                          std::span<const Tensor> outputs) {
  Confirmed out;
  Outcome best;
  const Comparison comparison(levels, h, p);
  const auto orders = row_orders(levels, h);
  for (const Table& table : tables_of(outputs, p.level_rows)) {
    if (agrees(comparison, h, table, orders, best, out)) return out;
  }
  for (const Table& list : lists_of(outputs, static_cast<std::int64_t>(p.rows.size()))) {
    if (h.form != HeadForm::pair) break;
    auto mismatch = compare_list(levels, h, p, list);
    if (mismatch.empty()) return Confirmed{.end_to_end = true, .anchors = {}, .layout = "a list of the best"};
    if (best.mismatch.empty()) best.mismatch = std::move(mismatch);
  }
  if (best.mismatch.empty()) {
    best.mismatch =
        text("outputs ", extents_text(outputs), " do not hold ", p.rows.size(), " boxes of ", h.classes, " classes");
  }
  return Error{Code::unsupported, best.mismatch};
}

}  // namespace tessera::onnx
