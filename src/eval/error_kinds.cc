#include "eval/error_kinds.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "eval/by_photo.h"
#include "eval/coco_match.h"
#include "eval/overlap.h"
#include "eval/precision.h"

namespace tessera::eval {
namespace {

constexpr double kFound = 0.5, kNear = 0.1;

/// One detection that found nothing.
struct Fault {
  Match match;
  std::int32_t category;
  ErrorKind kind;
  std::int64_t object;  ///< that it would find when mended, or -1
};

/// The object that a box overlaps most, and by how much.
struct Closest {
  double iou = 0;
  std::int64_t object = -1;
  void look(double other, std::uint32_t at) noexcept {
    if (other <= iou) return;
    iou = other;
    object = at;
  }
};

Fault judge(const Dataset& dataset, const Scored& detection, const Match& match,
            const std::vector<std::uint32_t>& objects) {
  Closest same, other;
  for (const std::uint32_t i : objects) {
    const Object& object = dataset.objects[i];
    if (object.crowd) continue;
    (object.category == detection.category ? same : other).look(coco_iou(detection.box, object.box, false), i);
  }
  const auto fault = [&](ErrorKind kind, std::int64_t object) {
    return Fault{match, detection.category, kind, object};
  };
  if (same.iou >= kNear && same.iou < kFound) return fault(ErrorKind::localization, same.object);
  if (other.iou >= kFound) return fault(ErrorKind::classification, other.object);
  if (same.iou >= kFound) return fault(ErrorKind::duplicate, -1);
  return fault(std::max(same.iou, other.iou) < kNear ? ErrorKind::background : ErrorKind::both, -1);
}

/// What the mAP is computed from, as it is or mended.
struct State {
  std::vector<std::vector<Match>> matches;  ///< by category
  std::vector<std::int64_t> objects;        ///< by category
};

/// The order of match_category: by score, ties by photo, then rank.
std::tuple<double, std::int32_t, std::uint16_t> place(const Match& match) {
  return {-match.score, match.photo, match.rank};
}

double map_50(const State& state, const std::vector<std::int64_t>& asked) {
  std::vector<CurveStep> steps;
  double sum = 0;
  int categories = 0;
  for (std::size_t k = 0; k < state.objects.size(); ++k) {
    if (asked[k] == 0 || (state.objects[k] == 0 && state.matches[k].empty())) continue;
    ++categories;
    if (state.objects[k] == 0) continue;
    std::vector<Match> sorted = state.matches[k];
    std::ranges::sort(sorted, std::ranges::less{}, place);
    sum += summarize_curve(
               sorted, kIou50, kMaxPerPhoto, static_cast<double>(state.objects[k]), [](std::int32_t) { return 1.0; },
               steps)
               .average_precision;
  }
  return categories > 0 ? sum / categories : -1;
}

class Finder {
 public:
  Finder(const Dataset& dataset, const Detections& detections)
      : dataset_(dataset), found_(dataset.objects.size()), mendable_(dataset.objects.size()) {
    const Groups groups(dataset, detections);
    const auto objects = by_photo(dataset.objects, dataset.photos.size());
    for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
      const auto of_category = groups.of_category(static_cast<std::int32_t>(k));
      const ClassMatches matched = match_category(dataset, detections, of_category, kAreaRanges[0]);
      right_.matches.emplace_back();
      right_.objects.push_back(matched.objects);
      for (const Match& match : matched.matches) {
        if ((match.ignored & 1) != 0) continue;
        if ((match.hit & 1) != 0) {
          right_.matches.back().push_back(match);
        } else {
          add(judge(dataset, detections.boxes[match.detection], match, objects[static_cast<std::size_t>(match.photo)]));
        }
      }
      mark_found(detections, of_category);
    }
  }

  ErrorKinds errors() const {
    ErrorKinds out;
    for (const Fault& fault : faults_) ++out.kinds[static_cast<std::size_t>(fault.kind)].count;
    const auto missed = missed_by_category();
    for (const std::int64_t n : missed) out.kinds[static_cast<std::size_t>(ErrorKind::missed)].count += n;
    out.map_50 = map_50(mended({}), right_.objects);
    for (std::size_t kind = 0; kind < kErrorKinds; ++kind) {
      State state = mended(static_cast<ErrorKind>(kind));
      if (static_cast<ErrorKind>(kind) == ErrorKind::missed) {
        for (std::size_t k = 0; k < missed.size(); ++k) state.objects[k] -= missed[k];
      }
      out.kinds[kind].cost = out.map_50 < 0 ? 0 : std::max(0.0, map_50(state, right_.objects)) - out.map_50;
    }
    return out;
  }

 private:
  void add(const Fault& fault) {
    faults_.push_back(fault);
    if (fault.object >= 0) mendable_[static_cast<std::size_t>(fault.object)] = true;
  }
  void mark_found(const Detections& detections, std::span<const Group> groups) {
    for (const Group& group : groups) {
      for (const std::int64_t object : taken_objects(dataset_, detections, group, kFound)) {
        if (object >= 0) found_[static_cast<std::size_t>(object)] = true;
      }
    }
  }
  std::vector<std::int64_t> missed_by_category() const {
    std::vector<std::int64_t> missed(dataset_.categories.size());
    for (std::size_t i = 0; i < dataset_.objects.size(); ++i) {
      const Object& object = dataset_.objects[i];
      if (!object.crowd && !found_[i] && !mendable_[i]) ++missed[static_cast<std::size_t>(object.category)];
    }
    return missed;
  }
  /// The best fault of this kind for each object that nothing found.
  std::map<std::int64_t, const Fault*> menders(ErrorKind kind) const {
    std::map<std::int64_t, const Fault*> best;
    for (const Fault& fault : faults_) {
      if (fault.kind != kind || fault.object < 0 || found_[static_cast<std::size_t>(fault.object)]) continue;
      const Fault*& mender = best[fault.object];
      if (mender == nullptr || fault.match.score > mender->match.score) mender = &fault;
    }
    return best;
  }
  /// Everything as it is, but for the errors of one kind.
  State mended(std::optional<ErrorKind> kind) const {
    State state = right_;
    for (const Fault& fault : faults_) {
      if (fault.kind != kind) state.matches[static_cast<std::size_t>(fault.category)].push_back(fault.match);
    }
    if (!kind) return state;
    for (const auto& [object, fault] : menders(*kind)) {
      Match match = fault->match;
      match.hit = 1;
      state.matches[static_cast<std::size_t>(dataset_.objects[static_cast<std::size_t>(object)].category)].push_back(
          match);
    }
    return state;
  }

  const Dataset& dataset_;
  State right_;  // hits, and objects that count
  std::vector<Fault> faults_;
  std::vector<bool> found_, mendable_;  // by object
};

}  // namespace

const char* to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::classification:
      return "classification";
    case ErrorKind::localization:
      return "localization";
    case ErrorKind::both:
      return "both";
    case ErrorKind::duplicate:
      return "duplicate";
    case ErrorKind::background:
      return "background";
    case ErrorKind::missed:
      return "missed";
  }
  return "";
}

ErrorKinds find_errors(const Dataset& dataset, const Detections& detections) {
  return Finder(dataset, detections).errors();
}

}  // namespace tessera::eval
