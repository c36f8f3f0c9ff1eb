#include "model/onnx/detect/probe.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace tessera::onnx {
namespace {

/// Numbers in [0, 1), the same on every machine (splitmix64).
class Dice {
 public:
  float next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  float between(float low, float high) { return low + (high - low) * next(); }

 private:
  std::uint64_t state_ = 1;
};

/// A row's own step on the way from -3 to 3: an order that jumps about.
class Steps {
 public:
  explicit Steps(std::int64_t count) : count_(count) {
    while (std::gcd(stride_, count_) != 1) ++stride_;
  }
  float next() {
    at_ = (at_ + stride_) % count_;
    return -3.0f + 6.0f * static_cast<float>(at_) / static_cast<float>(count_);
  }

 private:
  std::int64_t count_, stride_ = 7919, at_ = 0;
};

enum class Meaning { box, objectness, score };
struct Field {
  Meaning meaning;
  int slot;
  std::int64_t index;  ///< class, or channel of the box
};

/// What a channel of one of the level's heads means.
Field field_of(const Hypothesis& h, const Hypothesis::Roles& roles, std::size_t head, std::int64_t channel) {
  if (h.form == HeadForm::combined) {
    const std::int64_t width = h.classes + 5, field = channel % width;
    const auto slot = static_cast<int>(channel / width);
    if (field < 4) return {Meaning::box, slot, field};
    return field == 4 ? Field{Meaning::objectness, slot, 0} : Field{Meaning::score, slot, field - 5};
  }
  const auto inside = [&](const Part& part) {
    return part.head == head && channel >= part.begin && channel < part.begin + part.count;
  };
  if (inside(roles.box)) return {Meaning::box, 0, channel - roles.box.begin};
  if (h.form == HeadForm::objectness && inside(roles.objectness)) return {Meaning::objectness, 0, 0};
  return {Meaning::score, 0, channel - roles.scores.begin};
}

std::int64_t row_count(const Levels& levels, const Hypothesis& h) {
  std::int64_t rows = 0;
  for (const Level& level : levels.levels) rows += level.cells() * h.slots;
  return rows;
}

/// A channel of a level whose rows begin at `first_row`; `hot` has the hot logit of each of them.
void append_channel(const Hypothesis& h, const Field& field, std::int64_t first_row, std::span<const float> hot,
                    Dice& dice, std::vector<float>& out) {
  const auto cells = static_cast<std::int64_t>(hot.size()) / h.slots;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const std::int64_t in_level = field.slot * cells + cell;
    float v = field.meaning == Meaning::score ? dice.between(-8, -6) : dice.between(-2, 2);
    if (field.meaning == Meaning::score && (first_row + in_level) % h.classes == field.index) {
      v = hot[static_cast<std::size_t>(in_level)];
    }
    if (field.meaning == Meaning::box && h.form == HeadForm::combined && cell == 0) v = 0;
    out.push_back(v);
  }
}

double mean_of(std::span<const double> logits) {
  const double top = std::ranges::max(logits);
  double sum = 0, weighted = 0;
  for (std::size_t j = 0; j < logits.size(); ++j) {
    const double e = std::exp(logits[j] - top);
    sum += e;
    weighted += static_cast<double>(j) * e;
  }
  return weighted / sum;
}

std::array<double, 4> from_sides(std::array<double, 4> sides, const Row& row, double stride) {
  const double ax = static_cast<double>(row.x) + 0.5, ay = static_cast<double>(row.y) + 0.5;
  const double x1 = ax - sides[0], y1 = ay - sides[1], x2 = ax + sides[2], y2 = ay + sides[3];
  return {(x1 + x2) / 2 * stride, (y1 + y2) / 2 * stride, (x2 - x1) * stride, (y2 - y1) * stride};
}

std::array<double, 4> box_of(const Hypothesis& h, std::span<const double> raw, const Row& row, double stride) {
  const auto col = static_cast<double>(row.x), line = static_cast<double>(row.y);
  const auto twice = [&](std::size_t i) { return 2 * logistic(raw[i]); };
  switch (h.formula) {
    case BoxFormula::yolox:
      return {(raw[0] + col) * stride, (raw[1] + line) * stride, std::exp(raw[2]) * stride, std::exp(raw[3]) * stride};
    case BoxFormula::ltrb:
      return from_sides({raw[0], raw[1], raw[2], raw[3]}, row, stride);
    case BoxFormula::dfl: {
      std::array<double, 4> sides{};
      const auto bins = static_cast<std::size_t>(h.bins);
      for (std::size_t side = 0; side < 4; ++side) sides[side] = mean_of(raw.subspan(side * bins, bins));
      return from_sides(sides, row, stride);
    }
    case BoxFormula::square:
      return {(twice(0) - 0.5 + col) * stride, (twice(1) - 0.5 + line) * stride, twice(2) * twice(2),
              twice(3) * twice(3)};
    case BoxFormula::exp:  // with scale_xy 1
      return {(logistic(raw[0]) + col) * stride, (logistic(raw[1]) + line) * stride, std::exp(raw[2]),
              std::exp(raw[3])};
  }
  return {};
}

/// Reads rows out of the raw heads.
class Reader {
 public:
  Reader(const Levels& levels, const Hypothesis& h, std::span<const Tensor> heads)
      : levels_(levels), h_(h), heads_(heads) {}

  void add(const Row& row, Prediction& out) const {
    const Hypothesis::Roles& roles = h_.levels[row.level];
    std::vector<double> box;
    std::vector<float> scores;
    if (h_.form == HeadForm::combined) {
      const std::int64_t first = row.slot * (h_.classes + 5);
      for (std::int64_t i = 0; i < 4; ++i) box.push_back(at(roles.box, first + i, row));
      out.objectness.push_back(at(roles.box, first + 4, row));
      for (std::int64_t i = 0; i < h_.classes; ++i) scores.push_back(at(roles.box, first + 5 + i, row));
    } else {
      for (std::int64_t i = 0; i < roles.box.count; ++i) box.push_back(at(roles.box, i, row));
      for (std::int64_t i = 0; i < h_.classes; ++i) scores.push_back(at(roles.scores, i, row));
      if (h_.form == HeadForm::objectness) out.objectness.push_back(at(roles.objectness, 0, row));
    }
    out.rows.push_back(row);
    out.boxes.push_back(box_of(h_, box, row, static_cast<double>(levels_.levels[row.level].stride)));
    out.raw_box.push_back(std::move(box));
    out.scores.push_back(std::move(scores));
  }

 private:
  float at(const Part& part, std::int64_t channel, const Row& row) const {
    const RawHead& head = levels_.heads[part.head];
    const std::int64_t index = ((part.begin + channel) * head.height + row.y) * head.width + row.x;
    return (*heads_[part.head].reals)[static_cast<std::size_t>(index)];
  }
  const Levels& levels_;
  const Hypothesis& h_;
  std::span<const Tensor> heads_;
};

}  // namespace

double logistic(double logit) { return 1.0 / (1.0 + std::exp(-logit)); }

std::vector<Tensor> probe_heads(const Levels& levels, const Hypothesis& h) {
  std::vector<Tensor> out(levels.heads.size());
  Dice dice;
  Steps steps(row_count(levels, h));
  std::int64_t first_row = 0;
  for (std::size_t l = 0; l < levels.levels.size(); ++l) {
    std::vector<float> hot(static_cast<std::size_t>(levels.levels[l].cells() * h.slots));
    for (float& logit : hot) logit = steps.next();
    for (const std::size_t head : levels.levels[l].heads) {
      const RawHead& raw = levels.heads[head];
      std::vector<float> numbers;
      for (std::int64_t c = 0; c < raw.channels; ++c) {
        append_channel(h, field_of(h, h.levels[l], head, c), first_row, hot, dice, numbers);
      }
      out[head] = real_tensor({1, raw.channels, raw.height, raw.width}, std::move(numbers));
    }
    first_row += static_cast<std::int64_t>(hot.size());
  }
  return out;
}

Prediction predict(const Levels& levels, const Hypothesis& h, std::span<const Tensor> heads) {
  Prediction out;
  const Reader reader(levels, h, heads);
  for (std::size_t l = 0; l < levels.levels.size(); ++l) {
    const Level& level = levels.levels[l];
    out.level_rows.push_back(level.cells() * h.slots);
    for (int slot = 0; slot < h.slots; ++slot) {
      for (std::int64_t cell = 0; cell < level.cells(); ++cell) {
        reader.add({l, slot, cell / level.width, cell % level.width}, out);
      }
    }
  }
  return out;
}

}  // namespace tessera::onnx
