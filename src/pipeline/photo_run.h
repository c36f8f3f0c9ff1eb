#pragma once
// All photos of a source through one detector into sinks.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "image/image.h"
#include "pipeline/sink.h"
#include "pipeline/source.h"

namespace tessera {

struct RunSummary {
  std::size_t photos = 0;  ///< with a result
  std::size_t failed = 0;
  std::size_t detections = 0;
  bool stopped = false;  ///< RunOptions::stopped ended the run
};

struct RunOptions {
  DecodeOptions decode;
  std::size_t ahead = 2;                                          ///< decoded photos that may wait, >= 1
  std::function<bool()> stopped;                                  ///< asked between photos; may be empty
  std::function<void(std::string_view, const Error&)> on_failed;  ///< each photo without a result; may be empty
  std::function<void(const RunSummary&)> on_progress;             ///< after each photo; may be empty
};

/// One thread reads and decodes ahead while the caller's computes and writes; results keep the order of the source, and
/// memory is bounded by `ahead` + 2 photos and those of one pass (a mosaic's; the last may be partly empty). A photo
/// that cannot be read, decoded or written is counted, told to on_failed and to the sinks, and skipped. Errors  io of a
/// sink (its place is full or gone). Every sink is finished in any case, so that what is done stays.
Result<RunSummary> detect_photos(PhotoSource& source, Detector& detector, std::span<const std::unique_ptr<Sink>> sinks,
                                 const RunOptions& options);

}  // namespace tessera
