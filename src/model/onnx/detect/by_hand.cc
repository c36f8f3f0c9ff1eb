#include "model/onnx/detect/by_hand.h"

#include <algorithm>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

/// A value's name, or a node's, which stands for its first output.
std::optional<int> value_named(const IrGraph& graph, std::string_view name) {
  const auto value = std::ranges::find(graph.values, name, &IrValue::name);
  if (value != graph.values.end()) return static_cast<int>(value - graph.values.begin());
  const auto node = std::ranges::find(graph.nodes, name, &IrNode::name);
  if (node == graph.nodes.end() || node->outputs.empty() || node->outputs.front() == kAbsent) return std::nullopt;
  return node->outputs.front();
}

/// "a:b:c" as values. Names of some exporters contain ':', so the longest piece that is a name is taken.
Result<std::vector<int>> level_named(const IrGraph& graph, std::string_view word) {
  std::vector<int> out;
  while (!word.empty()) {
    std::size_t length = word.size();
    auto value = value_named(graph, word);
    while (!value && (length = word.rfind(':', length - 1)) != std::string_view::npos && length > 0) {
      value = value_named(graph, word.substr(0, length));
    }
    if (!value) {
      return Error{Code::not_found,
                   text("--heads: the graph has no value or node ", quoted(word), ": tessera inspect lists the nodes")};
    }
    out.push_back(*value);
    word.remove_prefix(std::min(length + 1, word.size()));
  }
  return out;
}

std::size_t tensors_of(HeadForm form) { return form == HeadForm::combined ? 1 : form == HeadForm::pair ? 2 : 3; }

std::string_view order_of(HeadForm form) {
  return form == HeadForm::combined ? "head" : form == HeadForm::pair ? "box:score" : "box:objectness:score";
}

BoxFormula formula_of(const HeadFamily& family, std::int64_t channels) {
  if (family.form == HeadForm::objectness) return BoxFormula::yolox;
  if (family.form == HeadForm::pair) return channels == 4 ? BoxFormula::ltrb : BoxFormula::dfl;
  return family.name == "yolov3" || family.name == "yolov4" ? BoxFormula::exp : BoxFormula::square;
}

/// The structure's hypotheses, those of the family only.
Result<Hypothesis> structural(const Levels& all, const HeadFamily& family) {
  for (Hypothesis& h : hypotheses(all)) {
    const bool slots = h.form != HeadForm::combined || h.slots == 3;
    if (h.form != family.form || !slots) continue;
    const std::int64_t box = h.levels.front().box.count;
    const bool fits =
        family.form == HeadForm::combined || std::ranges::find(family.box_channels, box) != family.box_channels.end();
    if (!fits || formula_of(family, box) != h.formula) continue;
    h.family = family.name;
    return h;
  }
  return Error{Code::invalid_argument, text("--family ", family.name, ": does not fit heads of ", shown(all),
                                            ": name them with --heads ", order_of(family.form), ",...")};
}

/// Roles in the order in which the tensors were named.
Hypothesis::Roles roles_of(const Levels& all, const Level& level, HeadForm form) {
  const auto whole = [&](std::size_t i) { return Part{level.heads[i], 0, all.heads[level.heads[i]].channels}; };
  if (form == HeadForm::combined) return {whole(0), {}, {}};
  if (form == HeadForm::pair) return {whole(0), {}, whole(1)};
  return {whole(0), whole(1), whole(2)};
}

}  // namespace

Result<std::vector<std::vector<int>>> named_heads(const IrGraph& graph, const ByHand& by_hand) {
  std::vector<std::vector<int>> out;
  for (std::string_view rest = by_hand.heads; !rest.empty();) {
    auto level = level_named(graph, next_piece(rest, ','));
    if (!level) return level.error();
    out.push_back(std::move(*level));
  }
  return out;
}

Result<Hypothesis> named_hypothesis(const IrGraph& graph, const Levels& all, const ByHand& by_hand) {
  const HeadFamily* family = find_head_family(by_hand.family);
  if (family == nullptr || (family->form == HeadForm::combined && !family->has_anchors)) {
    return Error{Code::invalid_argument, by_hand.family.empty()
                                             ? text("--heads wants --family as well, one of ", head_family_names())
                                             : text("--family ", by_hand.family, ": want one of ", head_family_names(),
                                                    by_hand.family == "anchor-grid" ? " whose anchors are known" : "")};
  }
  if (by_hand.heads.empty()) return structural(all, *family);
  const auto named = named_heads(graph, by_hand);
  if (!named) return named.error();
  const auto fail = [&](std::string_view fact) {
    return Error{Code::invalid_argument, text("--heads: ", fact, "; family ", family->name, " wants ",
                                              order_of(family->form), " on every level")};
  };
  const auto as_many = [&](const std::vector<int>& level) { return level.size() == tensors_of(family->form); };
  if (!std::ranges::all_of(*named, as_many)) return fail("too many or too few names between commas");
  if (all.levels.size() != named->size()) return fail("names of one level differ in size, or levels do not");
  const auto roles = roles_of(all, all.levels.front(), family->form);
  const std::int64_t classes = family->form == HeadForm::combined ? roles.box.count / 3 - 5 : roles.scores.count;
  if (classes < 1) return fail(text("a head of ", roles.box.count, " channels holds no class"));
  Hypothesis h{formula_of(*family, roles.box.count),
               family->form,
               family->name,
               static_cast<int>(classes),
               family->form == HeadForm::combined ? 3 : 1,
               0,
               {}};
  for (const Level& level : all.levels) {
    if (level.heads.size() != tensors_of(family->form)) return fail("names of one level differ in size");
    h.levels.push_back(roles_of(all, level, family->form));
  }
  return h;
}

bool is_activated(const IrGraph& graph, int value) {
  return std::ranges::any_of(graph.nodes, [&](const IrNode& node) {
    return node.op == "Sigmoid" && !node.outputs.empty() && node.outputs.front() == value;
  });
}

}  // namespace tessera::onnx
