#include "model/onnx/detect/end_to_end.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "model/onnx/detect/readings.h"

namespace tessera::onnx {
namespace {

struct Pick {
  std::size_t row = 0, column = 0;
  float logit = 0;
};

std::vector<Pick> best_picks(const Prediction& p, std::size_t count) {
  std::vector<std::size_t> rows(p.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto best_class = [&](std::size_t row) { return std::ranges::max(p.scores[row]); };
  std::ranges::stable_sort(rows, std::ranges::greater{}, best_class);
  rows.resize(std::min(rows.size(), count));
  std::vector<Pick> out;
  for (const std::size_t row : rows) {
    for (std::size_t k = 0; k < p.scores[row].size(); ++k) out.push_back({row, k, p.scores[row][k]});
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &Pick::logit);
  out.resize(count);
  return out;
}

double largest_coordinate(const Prediction& p) {
  double largest = 1;
  for (const auto& box : p.boxes) {
    for (std::size_t i = 0; i < 2; ++i) largest = std::max(largest, std::abs(box[i]) + std::abs(box[i + 2]));
  }
  return largest;
}

}  // namespace

std::string compare_list(const Levels& levels, const Hypothesis& h, const Prediction& p, const Table& list) {
  const auto picks = best_picks(p, static_cast<std::size_t>(list.rows));
  const double pixels = kRoundings * largest_coordinate(p);
  for (std::int64_t row = 0; row < list.rows; ++row) {
    const Pick& pick = picks[static_cast<std::size_t>(row)];
    const auto box = in_form(p.boxes[pick.row], BoxForm::corner_pixels, levels);
    const std::array<double, 6> want{
        box[0], box[1], box[2], box[3], logistic(pick.logit), static_cast<double>(pick.column)};
    for (std::int64_t column = 0; column < 6; ++column) {
      const double expected = want[static_cast<std::size_t>(column)];
      if (std::abs(list.at(row, column) - expected) <= (column < 4 ? pixels : kRoundings)) continue;
      return text("read as a list of the best, row ", row, " column ", column, " is ", list.at(row, column),
                  " where the formula of ", h.family, " gives ", static_cast<float>(expected));
    }
  }
  return {};
}

}  // namespace tessera::onnx
