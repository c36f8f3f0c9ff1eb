#include "eval/tune/choose.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace tessera::eval {
namespace {

std::string ms_text(double ms) {
  char out[32];
  std::snprintf(out, sizeof out, "%.3g ms", ms);
  return out;
}
std::string map_text(double map) {
  char out[32];
  std::snprintf(out, sizeof out, "%.4f", map);
  return out;
}

/// a makes b pointless: as fast and as accurate, and one of them more.
bool dominates(const MeasuredPoint& a, const MeasuredPoint& b) {
  const double ta = a.median_ms(), tb = b.median_ms(), ma = a.tuned.map_50, mb = b.tuned.map_50;
  return ta <= tb && ma >= mb && (ta < tb || ma > mb);
}

bool admitted(const MeasuredPoint& p, const ChoiceRule& rule) {
  if (!p.ran()) return false;
  if (rule.floor) return p.tuned.map_50 >= *rule.floor + rule.margin;
  return rule.budget && p.median_ms() <= *rule.budget;
}

bool better(const MeasuredPoint& a, const MeasuredPoint& b, const ChoiceRule& rule) {
  const double ta = a.median_ms(), tb = b.median_ms(), ma = a.tuned.map_50, mb = b.tuned.map_50;
  if (rule.floor) return ta < tb || (ta == tb && ma > mb);
  return ma > mb || (ma == mb && ta < tb);
}

std::optional<std::size_t> best(const std::vector<MeasuredPoint>& points, const ChoiceRule& rule) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (admitted(points[i], rule) && (!best || better(points[i], points[*best], rule))) best = i;
  }
  return best;
}

std::string why_not(const MeasuredPoint& p, const MeasuredPoint* chosen, const ChoiceRule& rule) {
  if (!p.error.empty()) return "did not run: " + p.error;
  if (!p.ran()) return "not measured yet";
  if (rule.floor && !admitted(p, rule)) {
    const bool thin = p.tuned.map_50 >= *rule.floor;
    return text("mAP@50 ", map_text(p.tuned.map_50),
                thin ? " is above the floor by less than the margin of " : " is below the floor of ",
                map_text(thin ? rule.margin : *rule.floor));
  }
  if (rule.budget && !admitted(p, rule)) {
    return text(ms_text(p.median_ms()), " is over the budget of ", ms_text(*rule.budget));
  }
  if (chosen == nullptr) return "";
  if (rule.floor) {
    return text("slower: ", ms_text(p.median_ms()), " against ", ms_text(chosen->median_ms()), " for ",
                map_text(p.tuned.map_50), " against ", map_text(chosen->tuned.map_50));
  }
  return text("less accurate: ", map_text(p.tuned.map_50), " against ", map_text(chosen->tuned.map_50));
}

std::string summary_of(const MeasuredPoint& p, const ChoiceRule& rule) {
  std::string out = text(p.point.name(), ": ", ms_text(p.median_ms()), " per photo, mAP@50 ", map_text(p.tuned.map_50),
                         ", on the held-out half ", map_text(p.held_out.map_50));
  if (rule.floor && p.held_out.map_50 < *rule.floor) {
    append_text(out, text(", which is below the floor of ", map_text(*rule.floor), ": a larger margin is safer"));
  }
  return out;
}

std::string nothing(const ChoiceRule& rule) {
  if (rule.floor) return text("no point reaches ", map_text(*rule.floor + rule.margin), ", floor and margin together");
  if (rule.budget) return text("no point stays within ", ms_text(*rule.budget), " per photo");
  return "no rule: give --floor or --budget for a choice";
}

}  // namespace

double MeasuredPoint::fastest_ms() const { return ms.empty() ? 0 : *std::ranges::min_element(ms); }
double MeasuredPoint::median_ms() const {
  if (ms.empty()) return 0;
  std::vector<double> sorted = ms;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

Choice choose(const std::vector<MeasuredPoint>& points, const ChoiceRule& rule) {
  Choice choice;
  choice.chosen = best(points, rule);
  const MeasuredPoint* chosen = choice.chosen ? &points[*choice.chosen] : nullptr;
  for (const MeasuredPoint& p : points) {
    Verdict verdict;
    verdict.on_frontier =
        p.ran() && std::ranges::none_of(points, [&](const auto& other) { return other.ran() && dominates(other, p); });
    verdict.chosen = &p == chosen;
    verdict.reason = verdict.chosen
                         ? (rule.floor ? "the fastest above floor and margin" : "the most accurate within the budget")
                         : why_not(p, chosen, rule);
    choice.verdicts.push_back(std::move(verdict));
  }
  choice.summary = chosen ? summary_of(*chosen, rule) : nothing(rule);
  return choice;
}

}  // namespace tessera::eval
