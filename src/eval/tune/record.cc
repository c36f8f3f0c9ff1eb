#include "eval/tune/record.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text.h"

namespace tessera::eval {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Accuracy& accuracy) { return {{"map_50", accuracy.map_50}, {"map_50_95", accuracy.map_50_95}}; }

Json json_of(const MeasuredPoint& p, const Verdict& verdict) {
  return {{"name", p.point.name()},
          {"command", p.point.command()},
          {"ms", p.ms},
          {"median_ms", p.median_ms()},
          {"fastest_ms", p.fastest_ms()},
          {"tuned", json_of(p.tuned)},
          {"held_out", json_of(p.held_out)},
          {"photos", p.photos},
          {"failed", p.failed},
          {"error", p.error},
          {"frontier", verdict.on_frontier},
          {"chosen", verdict.chosen},
          {"reason", verdict.reason}};
}

Json json_of(const ChoiceRule& rule) {
  if (rule.floor) return {{"floor", *rule.floor}, {"margin", rule.margin}};
  if (rule.budget) return {{"budget", *rule.budget}};
  return Json::object();
}

Accuracy accuracy_from(const Json& json) {
  return {json.at("map_50").get<double>(), json.at("map_50_95").get<double>()};
}

// Throws what nlohmann throws when a field is absent or of another kind.
std::size_t fill(const Json& json, MeasuredPoint& point) {
  point.ms = json.at("ms").get<std::vector<double>>();
  const bool sane = std::ranges::all_of(point.ms, [](double ms) { return std::isfinite(ms) && ms >= 0; });
  if (!sane) point.ms.clear();
  point.tuned = accuracy_from(json.at("tuned"));
  point.held_out = accuracy_from(json.at("held_out"));
  point.photos = json.at("photos").get<std::size_t>();
  point.failed = json.at("failed").get<std::size_t>();
  point.error = json.at("error").get<std::string>();
  return point.ms.size();
}

}  // namespace

std::string tune_json(const TuneHeader& header, const std::vector<MeasuredPoint>& points, const ChoiceRule& rule,
                      const Choice& choice) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) rows.push_back(json_of(points[i], choice.verdicts[i]));
  Json all = {{"model", header.model},     {"images", header.images},  {"fingerprint", header.fingerprint},
              {"machine", header.machine}, {"photos", header.photos},  {"rounds", header.rounds},
              {"rule", json_of(rule)},     {"points", std::move(rows)}};
  all["chosen"] = choice.chosen ? Json(points[*choice.chosen].point.name()) : Json(nullptr);
  all["summary"] = choice.summary;
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::size_t> take_over(std::span<const std::byte> json, const std::string& fingerprint,
                              std::vector<MeasuredPoint>& points) try {
  const auto* text_begin = reinterpret_cast<const char*>(json.data());
  const Json all = Json::parse(text_begin, text_begin + json.size());
  if (all.at("fingerprint").get<std::string>() != fingerprint) {
    return Error{Code::invalid_argument, text("was measured with '", all.at("fingerprint").get<std::string>(),
                                              "', this is '", fingerprint, "': choose another file")};
  }
  std::size_t runs = 0;
  std::vector<MeasuredPoint> filled = points;
  for (const Json& row : all.at("points")) {
    const auto name = row.at("name").get<std::string>();
    const auto same = std::ranges::find_if(filled, [&](const MeasuredPoint& p) { return p.point.name() == name; });
    if (same != filled.end()) runs += fill(row, *same);
  }
  points = std::move(filled);
  return runs;
} catch (const nlohmann::json::exception& problem) {
  return Error{Code::corrupt, text("is no tuning: ", problem.what())};
}

}  // namespace tessera::eval
