#pragma once
// A detector over the photos of a dataset: what it said, and how long it took.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <filesystem>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "pipeline/photo_run.h"

namespace tessera::eval {

/// Where the photos of a dataset lie.
struct PhotoFiles {
  std::vector<std::string> paths;    ///< those found, in the order of the dataset
  std::vector<std::int32_t> photos;  ///< index of each
  std::size_t absent = 0;            ///< photos of the dataset that the folder lacks
};
/// Looks for each photo as folder/file, then folder/its last name, then a picture of the same stem. A name that leads
/// out of the folder ("../x.jpg", "/x.jpg") is looked for by its last part.
/// Errors  not_found: no folder, or it holds none of the photos; io.
Result<PhotoFiles> find_photos(const Dataset& dataset, const std::filesystem::path& folder);

/// class_id of a model -> index of a category, -1 where the dataset has no such category. Names are compared in either
/// of COCO's spellings.
struct ClassMap {
  std::vector<std::int32_t> category;
  std::size_t unknown = 0;  ///< classes without a category
};
/// Errors  invalid_argument: a model without names, or none of its classes is a category.
Result<ClassMap> map_classes(const Dataset& dataset, const std::vector<std::string>& names);

struct TimedRun {
  Detections detections;
  std::size_t photos = 0, failed = 0;
  bool stopped = false;
  double seconds = 0;        ///< wall time of everything: reading, decoding, network, boxes
  double first_seconds = 0;  ///< of it, up to the end of the first photo (of a mosaic: of the first pass)
  double ms_per_photo() const noexcept;
  double first_photo_ms() const noexcept { return first_seconds * 1e3; }
  /// Of the photos after the first; that of the first when there is only one.
  double steady_ms_per_photo() const noexcept;
};

/// Boxes and scores are rounded as results files write them, so a run scores as its file does, to the last bit.
/// `options` are detect_photos' own: workers, decoding, what to call on progress and failure.
/// Errors  those of detect_photos.
Result<TimedRun> run_detector(const Dataset& dataset, const PhotoFiles& files, const ClassMap& classes,
                              Detector& detector, RunOptions options);

}  // namespace tessera::eval
