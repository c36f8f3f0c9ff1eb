#include "model/onnx/detect/levels.h"

#include <algorithm>

#include "base/text.h"
#include "model/class_names.h"
#include "model/onnx/evaluate/evaluate.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

Result<RawHead> raw_head(const IrGraph& graph, int value, const ShapeOf& shape_of) {
  const auto dims = shape_of(value);
  const auto fail = [&](std::string_view fact) {
    return Error{Code::unsupported, text("head ", quoted(graph.value(value).name), ": ", fact)};
  };
  if (!dims) return fail("its extents are not known");
  if (dims->count != 4) return fail(text("has ", dims->count, " axes, want 4"));
  if ((*dims)[0] != 1) return fail(text("is a batch of ", (*dims)[0], ": want 1"));
  return RawHead{value, (*dims)[1], (*dims)[2], (*dims)[3]};
}

void add_to_level(std::vector<Level>& levels, const RawHead& head, std::size_t index) {
  auto level =
      std::ranges::find_if(levels, [&](const Level& l) { return l.height == head.height && l.width == head.width; });
  if (level == levels.end()) level = levels.insert(levels.end(), Level{head.height, head.width, 0, {}});
  level->heads.push_back(index);
}

Status set_stride(const Levels& all, Level& level) {
  const auto fail = [&] {
    return Error{Code::unsupported, text("heads of ", level.width, "x", level.height, " cells on an input of ",
                                         all.input_width, "x", all.input_height, " have no whole stride")};
  };
  if (level.width < 1 || level.height < 1 || all.input_width % level.width != 0) return fail();
  level.stride = all.input_width / level.width;
  if (level.height * level.stride != all.input_height) return fail();
  return {};
}

/// Channels per head of a level, "64 + 80".
std::string channels_text(const Levels& all, const Level& level) {
  std::string out;
  for (const std::size_t head : level.heads) {
    append_text(out, text(out.empty() ? "" : " + ", all.heads[head].channels));
  }
  return out;
}

/// The same roles, given as positions in a level's list of heads, on every level. False when the channels do not fit.
using Assign = std::function<std::optional<Hypothesis::Roles>(const Level&)>;
void add_if_all(const Levels& all, Hypothesis hypothesis, const Assign& assign, std::vector<Hypothesis>& out) {
  if (hypothesis.classes < 1 || hypothesis.classes > static_cast<int>(kMaxClasses)) return;
  for (const Level& level : all.levels) {
    const auto roles = assign(level);
    if (!roles) return;
    hypothesis.levels.push_back(*roles);
  }
  out.push_back(std::move(hypothesis));
}

Part whole(const Levels& all, std::size_t head) { return {head, 0, all.heads[head].channels}; }

struct BoxKind {
  std::int64_t channels;
  BoxFormula formula;
  int bins;
  std::string_view family;
};
constexpr BoxKind kBoxes[] = {
    {64, BoxFormula::dfl, 16, "yolov8"}, {68, BoxFormula::dfl, 17, "yolov6"}, {4, BoxFormula::ltrb, 0, "yolov6"}};

Hypothesis pair_of(const BoxKind& box, std::int64_t classes) {
  return {box.formula, HeadForm::pair, box.family, static_cast<int>(classes), 1, box.bins, {}};
}

void add_pairs(const Levels& all, std::vector<Hypothesis>& out) {
  const Level& first = all.levels.front();
  for (const std::size_t box : {0u, 1u}) {
    for (const BoxKind& kind : kBoxes) {
      const std::int64_t classes = all.heads[first.heads[1 - box]].channels;
      add_if_all(
          all, pair_of(kind, classes),
          [&](const Level& level) -> std::optional<Hypothesis::Roles> {
            const Part sides = whole(all, level.heads[box]), scores = whole(all, level.heads[1 - box]);
            if (sides.count != kind.channels || scores.count != classes) return std::nullopt;
            return Hypothesis::Roles{sides, {}, scores};
          },
          out);
    }
  }
}

/// Boxes and scores in one convolution.
void add_joined(const Levels& all, std::vector<Hypothesis>& out) {
  const std::int64_t channels = all.heads[all.levels.front().heads[0]].channels;
  for (const BoxKind& kind : kBoxes) {
    const std::int64_t classes = channels - kind.channels;
    add_if_all(
        all, pair_of(kind, classes),
        [&](const Level& level) -> std::optional<Hypothesis::Roles> {
          const std::size_t head = level.heads[0];
          if (all.heads[head].channels != channels) return std::nullopt;
          return Hypothesis::Roles{{head, 0, kind.channels}, {}, {head, kind.channels, classes}};
        },
        out);
  }
}

void add_anchored(const Levels& all, std::vector<Hypothesis>& out) {
  const std::int64_t channels = all.heads[all.levels.front().heads[0]].channels;
  for (const auto& [formula, family] :
       {std::pair(BoxFormula::square, "yolov5"), std::pair(BoxFormula::exp, "yolov3")}) {
    for (const int slots : {3, 1, 2, 4, 5, 6}) {
      if (channels % slots != 0) continue;
      add_if_all(
          all, {formula, HeadForm::combined, family, static_cast<int>(channels / slots - 5), slots, 0, {}},
          [&](const Level& level) -> std::optional<Hypothesis::Roles> {
            if (all.heads[level.heads[0]].channels != channels) return std::nullopt;
            return Hypothesis::Roles{whole(all, level.heads[0]), {}, {}};
          },
          out);
    }
  }
}

void add_with_objectness(const Levels& all, std::vector<Hypothesis>& out) {
  std::array<std::size_t, 3> order{0, 1, 2};  // box, objectness, scores
  const Level& first = all.levels.front();
  do {
    const std::int64_t classes = all.heads[first.heads[order[2]]].channels;
    add_if_all(
        all, {BoxFormula::yolox, HeadForm::objectness, "yolox", static_cast<int>(classes), 1, 0, {}},
        [&](const Level& level) -> std::optional<Hypothesis::Roles> {
          const Part box = whole(all, level.heads[order[0]]), objectness = whole(all, level.heads[order[1]]),
                     scores = whole(all, level.heads[order[2]]);
          if (box.count != 4 || objectness.count != 1 || scores.count != classes) return std::nullopt;
          return Hypothesis::Roles{box, objectness, scores};
        },
        out);
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace

Result<Levels> levels_of(const IrGraph& graph, const Cut& cut, const ShapeOf& shape_of) {
  if (graph.inputs.size() != 1) {
    return Error{Code::unsupported, text("the graph has ", graph.inputs.size(), " inputs, a detector has one")};
  }
  const auto input = shape_of(graph.inputs.front().value);
  if (!input || input->count != 4) return Error{Code::unsupported, "the input is not [1, channels, height, width]"};
  Levels out{.input_width = (*input)[3], .input_height = (*input)[2], .heads = {}, .levels = {}};
  std::int64_t total = 0;
  for (const int value : cut.heads) {
    auto head = raw_head(graph, value, shape_of);
    if (!head) return head.error();
    add_to_level(out.levels, *head, out.heads.size());
    out.heads.push_back(*head);
    total += head->size();  // each at most what a network's value may have, so the sum fits
  }
  if (total > kMaxEvaluated) {
    return Error{Code::limit_exceeded, text("raw heads of ", total, " numbers, want up to ", kMaxEvaluated)};
  }
  for (Level& level : out.levels) TESSERA_TRY(set_stride(out, level));
  std::ranges::sort(out.levels, {}, &Level::stride);
  return out;
}

std::string shown(const Levels& all) {
  std::string out = all.levels.size() == 1 ? "stride" : "strides";
  for (const Level& level : all.levels) {
    append_text(out, text(&level == &all.levels.front() ? " " : ", ", level.stride));
  }
  out += " with";
  std::string last;
  for (const Level& level : all.levels) {
    const std::string channels = channels_text(all, level);
    if (channels != last) append_text(out, text(last.empty() ? " " : ", then ", channels));
    last = channels;
  }
  return out + " channels";
}

std::vector<Hypothesis> hypotheses(const Levels& all) {
  std::vector<Hypothesis> out;
  if (all.levels.empty()) return out;
  const std::size_t parts = all.levels.front().heads.size();
  const auto as_many = [&](const Level& level) { return level.heads.size() == parts; };
  if (!std::ranges::all_of(all.levels, as_many)) return out;
  if (parts == 1) add_joined(all, out), add_anchored(all, out);
  if (parts == 2) add_pairs(all, out);
  if (parts == 3) add_with_objectness(all, out);
  return out;
}

}  // namespace tessera::onnx
