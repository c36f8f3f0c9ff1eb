#pragma once
// All photos of a source through detectors into sinks, stages overlapped.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "image/image.h"
#include "pipeline/chunks.h"
#include "pipeline/sink.h"
#include "pipeline/source.h"
#include "pipeline/trace.h"

namespace tessera {

struct RunSummary {
  std::size_t photos = 0;  ///< with a result
  std::size_t failed = 0;
  std::size_t detections = 0;
  bool stopped = false;  ///< RunOptions::stopped ended the run
};

/// The functions are called one at a time, from any thread of the run.
struct RunOptions {
  DecodeOptions decode;
  int workers = 1;                                                ///< passes computed at once, each by a detector, >= 1
  ChunkOptions chunks;                                            ///< passes handed to a detector at once
  std::size_t ahead = 0;                                          ///< photos read before needed; 0: two chunks a worker
  bool newest = false;                                            ///< live: none is read before a worker is free for it
  std::function<bool()> stopped;                                  ///< asked between photos; may be empty
  std::function<void(std::string_view, const Error&)> on_failed;  ///< each photo without a result; may be empty
  std::function<void(const RunSummary&)> on_progress;             ///< after each photo; may be empty
  bool serial = false;     ///< one photo at a time through all stages: what overlap is measured against
  Trace* trace = nullptr;  ///< when each stage worked on what
};

/// Reading, decoding, computing and writing overlap; results keep the order of the source. Memory is bounded by
/// workers + ahead + 2 photos and the photos of workers + 1 chunks (of mosaics the last may be partly empty). With one
/// worker, `detector` computes with its own threads; more workers compute whole passes beside each other, on
/// Detector::share()s of one thread if `detector` has one. A photo that cannot be read, decoded or written is counted,
/// told to on_failed and to the sinks, and skipped.
/// Errors  io of a sink (its place is full or gone). Every sink is finished in any case, so that what is done stays.
Result<RunSummary> detect_photos(PhotoSource& source, Detector& detector, std::span<const std::unique_ptr<Sink>> sinks,
                                 const RunOptions& options);

}  // namespace tessera
