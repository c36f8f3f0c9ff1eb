#pragma once
// The options that say how photos become boxes, shared by the verbs that detect.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tessera::cli {

/// Unset values are the point's or preset's, and without one the library's.
struct DetectionOptions {
  std::string point, preset;
  std::string mosaic;  ///< "2x2"
  std::optional<float> threshold, nms_iou;
  std::optional<int> max_detections, max_per_class;
  bool multi_label = false, class_agnostic = false, letterbox = false, stretch = false, flip = false;
  bool power_rank = false;
  std::optional<float> voting, edge_penalty;
};

/// `threshold` is what the help calls the default lowest score.
void add_detection_options(CLI::App& verb, DetectionOptions& options, const char* threshold = "0.25");

/// Writes point, preset and the words given besides them into `out`. An input size that is set already stays.
/// Errors  invalid_argument: words that contradict each other.
Status apply(const DetectionOptions& options, DetectorOptions& out);

/// For CLI11: "" for a number from 0 to 1, the ends only where they are allowed, else an error text. CLI::Range would
/// let NaN pass.
std::string check_share(const std::string& word, bool zero, bool one);

}  // namespace tessera::cli
