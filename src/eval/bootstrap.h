#pragma once
// Is one run better than another, or was it the photos? Paired bootstrap over photos.
// Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, percentile intervals.

#include <tessera/result.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

struct BootstrapOptions {
  int resamples = 1000;                    ///< 1..1,000,000
  std::uint64_t seed = 1;                  ///< same seed, same numbers, whatever the threads and the machine
  double confidence = 0.95;                ///< (0, 1)
  int threads = 1;                         ///< >= 1
  std::function<bool(int done)> progress;  ///< now and then, from the caller's thread; false stops. May be empty
};

/// A figure of the first run less that of the second.
struct Difference {
  double value = 0;          ///< on the photos as they are
  double low = 0, high = 0;  ///< percentile interval over resamples
  double first_better = 0;   ///< share of resamples above zero; equal ones count half
};

struct Comparison {
  Difference map_50, map_50_95;
  int resamples = 0;  ///< that had an object
};

/// Draws as many photos as there are, with replacement, scores both runs on the same draw, and repeats. A photo drawn
/// twice counts twice, with equal scores of the two in one place of the order. Matches are made once: a resample only
/// sums weighted matches, so it costs time linear in detections.
/// Errors  invalid_argument: no photo, an option out of range; cancelled: `progress` said so.
Result<Comparison> paired_bootstrap(const Dataset& dataset, const Detections& first, const Detections& second,
                                    const BootstrapOptions& options);

/// How often each of n photos is drawn in resample `index`: n draws by rejection from std::mt19937_64, whose seed mixes
/// `seed` and `index`.
std::vector<std::uint32_t> draw_photos(std::size_t n, std::uint64_t seed, int index);

}  // namespace tessera::eval
