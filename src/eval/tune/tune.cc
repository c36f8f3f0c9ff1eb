#include "eval/tune/tune.h"

#include "eval/coco.h"

namespace tessera::eval {
namespace {

Accuracy accuracy_on(const Dataset& dataset, const Detections& detections, std::size_t half) {
  std::vector<bool> keep(dataset.photos.size());
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = i % 2 == half && has_seen(detections, i);
  const CocoStats stats = score_coco(only_photos(dataset, keep), only_photos(detections, keep)).stats;
  return {stats.ap50, stats.ap};
}

class Tuning {
 public:
  Tuning(const Dataset& dataset, const PhotoFiles& files, const DetectorOptions& base, const TuneHooks& hooks)
      : dataset_(dataset), files_(files), base_(base), hooks_(hooks) {}

  /// One more round of a point. An error of the point is the point's; any other ends the tuning.
  Status run(MeasuredPoint& measured) const {
    DetectorOptions options = base_;
    measured.point.apply(options);
    auto detector = Detector::load(options);
    if (!detector) return give_up(measured, detector.error());
    const auto classes = map_classes(dataset_, detector->class_names());
    if (!classes) return classes.error();
    const auto timed = run_detector(dataset_, files_, *classes, *detector, run_options(measured.point.workers));
    if (!timed) return timed.error();
    if (timed->stopped) return Error{Code::cancelled, "stopped"};
    if (measured.ms.empty()) {
      measured.tuned = accuracy_on(dataset_, timed->detections, 0);
      measured.held_out = accuracy_on(dataset_, timed->detections, 1);
      measured.photos = timed->photos;
      measured.failed = timed->failed;
    }
    measured.ms.push_back(timed->ms_per_photo());
    return {};
  }

 private:
  RunOptions run_options(int workers) const {
    RunOptions options;
    options.workers = workers;
    options.stopped = hooks_.stopped;
    options.on_failed = hooks_.failed;
    if (hooks_.photo) {
      options.on_progress = [this](const RunSummary& s) { hooks_.photo(s.photos + s.failed, s.failed); };
    }
    return options;
  }
  static Status give_up(MeasuredPoint& measured, const Error& error) {
    if (error.code != Code::invalid_argument && error.code != Code::unsupported) return error;
    measured.error = error.message;
    return {};
  }

  const Dataset& dataset_;
  const PhotoFiles& files_;
  const DetectorOptions& base_;
  const TuneHooks& hooks_;
};

}  // namespace

Status tune(const Dataset& dataset, const PhotoFiles& files, const DetectorOptions& base, int rounds,
            std::vector<MeasuredPoint>& points, const TuneHooks& hooks) {
  const Tuning tuning(dataset, files, base, hooks);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      MeasuredPoint& point = points[i];
      if (!point.error.empty() || point.ms.size() > static_cast<std::size_t>(round)) continue;
      if (hooks.starts) hooks.starts(i, round);
      TESSERA_TRY(tuning.run(point));
      if (hooks.measured) TESSERA_TRY(hooks.measured(points));
    }
  }
  return {};
}

}  // namespace tessera::eval
