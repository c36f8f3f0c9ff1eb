#include "eval/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/thread_pool.h"
#include "eval/coco_match.h"
#include "eval/precision.h"

namespace tessera::eval {
namespace {

constexpr int kMaxResamples = 1'000'000;
constexpr int kBlock = 64;  // resamples between two looks at `progress`

struct Figures {
  double map_50 = -1, map_50_95 = -1;
};

/// All matches of a run, ready to be weighted.
class Record {
 public:
  Record(const Dataset& dataset, const Detections& detections) {
    const Groups groups(dataset, detections);
    for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
      auto matches =
          match_category(dataset, detections, groups.of_category(static_cast<std::int32_t>(k)), kAreaRanges[0]);
      if (matches.objects > 0) categories_.push_back(std::move(matches));
    }
  }

  Figures score(const std::vector<std::uint32_t>& weights, std::vector<CurveStep>& steps) const {
    const auto weight = [&](std::int32_t photo) { return double{weights[static_cast<std::size_t>(photo)] * 1.0}; };
    double sum_50 = 0, sum = 0;
    int scored = 0;
    for (const ClassMatches& category : categories_) {
      double objects = 0;
      for (const auto& [photo, count] : category.photo_counts) objects += weight(photo) * count;
      if (objects == 0) continue;
      ++scored;
      for (int t = 0; t < kThresholds; ++t) {
        const double ap = summarize_curve(category.matches, t, kMaxPerPhoto, objects, weight, steps).average_precision;
        sum += ap;
        if (t == kIou50) sum_50 += ap;
      }
    }
    if (scored == 0) return {};
    return {sum_50 / scored, sum / (scored * kThresholds)};
  }

 private:
  std::vector<ClassMatches> categories_;  // with objects
};

/// Between the sorted values, as NumPy's percentile does by default.
double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

Difference summarize(double value, std::vector<double> resampled, double confidence) {
  Difference out{.value = value};
  if (resampled.empty()) return out;
  std::ranges::sort(resampled);
  out.low = quantile(resampled, (1 - confidence) / 2);
  out.high = quantile(resampled, (1 + confidence) / 2);
  const auto first = std::ranges::lower_bound(resampled, 0.0), last = std::ranges::upper_bound(resampled, 0.0);
  out.first_better = (static_cast<double>(resampled.end() - last) + static_cast<double>(last - first) / 2) /
                     static_cast<double>(resampled.size());
  return out;
}

Status check(const Dataset& dataset, const BootstrapOptions& o) {
  if (dataset.photos.empty()) return Error{Code::invalid_argument, "bootstrap: no photo is common to both runs"};
  if (o.resamples < 1 || o.resamples > kMaxResamples) {
    return Error{Code::invalid_argument, text("bootstrap: ", o.resamples, " resamples: want 1 to ", kMaxResamples)};
  }
  if (!(o.confidence > 0 && o.confidence < 1)) {
    return Error{Code::invalid_argument, text("bootstrap: confidence ", o.confidence, ": want between 0 and 1")};
  }
  if (o.threads < 1) return Error{Code::invalid_argument, "bootstrap: want at least one thread"};
  return {};
}

/// Resampled figures of both runs, by resample.
using Pairs = std::vector<std::pair<Figures, Figures>>;

Status resample(const Record& first, const Record& second, std::size_t photos, const BootstrapOptions& o, Pairs& out) {
  ThreadPool pool(o.threads);
  std::vector<std::vector<CurveStep>> steps(static_cast<std::size_t>(o.threads));
  for (int done = 0; done < o.resamples;) {
    const int block = std::min(kBlock, o.resamples - done);
    const auto one = [&](std::size_t task, int worker) {
      const int index = done + static_cast<int>(task);
      const auto weights = draw_photos(photos, o.seed, index);
      auto& scratch = steps[static_cast<std::size_t>(worker)];
      out[static_cast<std::size_t>(index)] = {first.score(weights, scratch), second.score(weights, scratch)};
    };
    pool.run(static_cast<std::size_t>(block), one);
    done += block;
    if (o.progress && !o.progress(done)) return Error{Code::cancelled, "bootstrap: stopped"};
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> draw_photos(std::size_t n, std::uint64_t seed, int index) {
  std::vector<std::uint32_t> counts(n);
  if (n == 0) return counts;
  const std::uint64_t golden = 0x9e3779b97f4a7c15u;  // neighbouring indices give unrelated seeds
  std::mt19937_64 random(seed ^ (golden * (static_cast<std::uint64_t>(index) + 1)));
  const std::uint64_t uneven = (std::mt19937_64::max() % n + 1) % n;  // 2^64 mod n: so many top values are drawn again
  for (std::size_t i = 0; i < n;) {
    const std::uint64_t value = random();
    if (value > std::mt19937_64::max() - uneven) continue;
    ++counts[value % n];
    ++i;
  }
  return counts;
}

Result<Comparison> paired_bootstrap(const Dataset& dataset, const Detections& first, const Detections& second,
                                    const BootstrapOptions& options) {
  TESSERA_TRY(check(dataset, options));
  const Record a(dataset, first), b(dataset, second);
  Pairs pairs(static_cast<std::size_t>(options.resamples));
  TESSERA_TRY(resample(a, b, dataset.photos.size(), options, pairs));
  std::vector<double> at_50, at_50_95;
  for (const auto& [x, y] : pairs) {
    if (x.map_50 < 0) continue;  // a draw without any object: nothing to score in either
    at_50.push_back(x.map_50 - y.map_50);
    at_50_95.push_back(x.map_50_95 - y.map_50_95);
  }
  std::vector<CurveStep> steps;
  const std::vector<std::uint32_t> once(dataset.photos.size(), 1);
  const Figures x = a.score(once, steps), y = b.score(once, steps);
  Comparison out;
  out.resamples = static_cast<int>(at_50.size());
  out.map_50 = summarize(x.map_50 - y.map_50, std::move(at_50), options.confidence);
  out.map_50_95 = summarize(x.map_50_95 - y.map_50_95, std::move(at_50_95), options.confidence);
  return out;
}

}  // namespace tessera::eval
