#pragma once
// Runs every point over the photos, in rounds, so that a slow minute of the machine hits all points alike.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <functional>
#include <string_view>
#include <vector>

#include "eval/dataset.h"
#include "eval/run.h"
#include "eval/tune/choose.h"

namespace tessera::eval {

struct TuneHooks {
  std::function<bool()> stopped;  ///< asked between photos; may be empty
  /// Before each run: point and round, both from 0. May be empty.
  std::function<void(std::size_t point, int round)> starts;
  std::function<void(std::size_t done, std::size_t failed)> photo;    ///< after each photo; may be empty
  std::function<void(std::string_view name, const Error&)> failed;    ///< a photo without a result; may be empty
  std::function<Status(const std::vector<MeasuredPoint>&)> measured;  ///< after each run, to save; may be empty
};

/// Measures what `points` lack until each has `rounds` times: point after point, round after round. Accuracy comes from
/// a point's first run. Halves: photos of even places in the dataset tune, those of odd places are held out. A point
/// that cannot be loaded keeps its error and is passed over.
/// base: the model and all that the points do not vary.
/// Errors  those of detect_photos and of `measured`; cancelled when stopped, with all finished runs in `points`.
Status tune(const Dataset& dataset, const PhotoFiles& files, const DetectorOptions& base, int rounds,
            std::vector<MeasuredPoint>& points, const TuneHooks& hooks);

}  // namespace tessera::eval
