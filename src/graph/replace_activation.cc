#include "graph/replace_activation.h"

#include <set>

#include "base/text.h"

namespace tessera {
namespace {

constexpr Activation kAll[] = {Activation::linear, Activation::relu,      Activation::relu6, Activation::leaky,
                               Activation::mish,   Activation::hard_mish, Activation::silu,  Activation::logistic,
                               Activation::tanh,   Activation::hard_swish};

Result<Activation> named(std::string_view name) {
  if (const auto found = parse_activation(name)) return *found;
  std::string names;
  for (const Activation kind : kAll) append_text(names, text(names.empty() ? "" : ", ", to_string(kind)));
  return Error{Code::invalid_argument, text("replace: '", name, "' is no activation: want one of ", names)};
}

/// Calls visit(ActivationSpec&) for each activation that the node applies.
template <class Visit>
void visit_activations(Attrs& attrs, const Visit& visit) {
  if (auto* conv = std::get_if<ConvAttrs>(&attrs)) {
    visit(conv->epilogue.act);
    if (conv->epilogue.residual) visit(conv->epilogue.post_act);
  } else if (auto* alone = std::get_if<ActivationAttrs>(&attrs)) {
    visit(alone->act);
  } else if (auto* add = std::get_if<AddAttrs>(&attrs)) {
    visit(add->act);
  } else if (auto* mul = std::get_if<MulAttrs>(&attrs)) {
    visit(mul->act);
  } else if (auto* binary = std::get_if<BinaryAttrs>(&attrs)) {
    visit(binary->act);
  }
}

}  // namespace

std::optional<Activation> parse_activation(std::string_view name) noexcept {
  for (const Activation kind : kAll) {
    if (name == to_string(kind)) return kind;
  }
  return std::nullopt;
}

Status replace_activations(Graph& graph, const std::map<std::string, std::string>& from_to) {
  std::map<Activation, Activation> rules;
  for (const auto& [from, to] : from_to) {
    const auto old_kind = named(from), new_kind = named(to);
    if (!old_kind) return old_kind.error();
    if (!new_kind) return new_kind.error();
    rules.emplace(*old_kind, *new_kind);
  }
  std::set<Activation> met;
  for (Node& node : graph.nodes) {
    visit_activations(node.attrs, [&](ActivationSpec& act) {
      const auto rule = rules.find(act.kind);
      if (rule == rules.end()) return;
      met.insert(act.kind);
      act.kind = rule->second;
    });
  }
  for (const auto& rule : rules) {
    if (!met.contains(rule.first)) {
      return Error{Code::invalid_argument, text("replace: the model has no activation '", to_string(rule.first), "'")};
    }
  }
  return {};
}

}  // namespace tessera
