#pragma once
// What `eval` scores: a model run on the photos of the annotations, or somebody's results.

#include <tessera/result.h>

#include <cstdint>
#include <optional>
#include <string>

#include "common/detection_options.h"
#include "common/io.h"
#include "common/model_options.h"
#include "common/pipeline_options.h"
#include "evaluation/report.h"

namespace tessera::cli {

struct EvalOptions {
  ModelOptions model;
  DetectionOptions found;
  PipelineOptions pipeline;
  std::string images, annotations, detections, save_run, against;
  float confusion_threshold = 0.25f;
  int resamples = 1000;
  std::uint64_t seed = 1;
  bool json = false;
  EvaluationParts parts;
};

/// What is scored and where it comes from.
struct Scored {
  eval::Dataset dataset;
  eval::Detections detections;
  std::optional<RunFacts> run;
  std::size_t absent = 0;  ///< photos of the annotations that are not there
  std::size_t failed = 0;  ///< photos that were named and left out
};

/// Runs the model on `images`, or reads `detections` when given. What is left out is told to `io`.
Result<Scored> detect_or_read(const EvalOptions& options, Io& io);

}  // namespace tessera::cli
