#pragma once
// Everything `eval` reports, and how it is worked out.

#include <tessera/result.h>

#include <optional>
#include <string>
#include <vector>

#include "eval/bootstrap.h"
#include "eval/coco.h"
#include "eval/confusion.h"
#include "eval/error_kinds.h"
#include "eval/run.h"
#include "eval/voc.h"

namespace tessera::cli {

/// What made the detections and at what speed; absent when they came from a file.
struct RunFacts {
  std::string model;
  DetectorOptions options;  ///< as they were used
  std::string device;
  int width = 0, height = 0, threads = 0, workers = 0;
  float nms_iou = 0;  ///< options.nms_iou, or what stands for it with this model
  bool stopped = false;
  double ms_per_photo = 0, first_photo_ms = 0, steady_ms_per_photo = 0;
};

struct ComparisonFacts {
  std::string against;
  std::size_t photos = 0;  ///< that both runs saw
  std::uint64_t seed = 0;
  double confidence = 0;
  eval::Comparison result;
};

struct Evaluation {
  std::string annotations;
  std::vector<std::string> categories;
  std::size_t photos = 0, objects = 0, detections = 0;
  std::size_t failed = 0;  ///< photos named and left out because they could not be read
  std::size_t absent = 0;  ///< photos of the annotations that the folder lacks
  eval::CocoScore coco;
  eval::VocScore voc;
  eval::ErrorKinds errors;
  double confusion_threshold = 0;
  std::vector<eval::ConfusionCell> confusion;
  std::optional<RunFacts> run;
  std::optional<ComparisonFacts> comparison;
};

/// Scores the photos that the run saw; all of its figures but those of the run and the comparison.
Evaluation evaluate(const eval::Dataset& dataset, const eval::Detections& detections, double confusion_threshold);

struct EvaluationParts {
  bool per_class = false, confusion = false, voc = false;
};
/// For people. The short form is ten lines.
std::string evaluation_text(const Evaluation& evaluation, const EvaluationParts& parts);
/// One object with everything; ms_per_photo is null when nothing ran, a figure without objects is -1.
std::string evaluation_json(const Evaluation& evaluation);

}  // namespace tessera::cli
