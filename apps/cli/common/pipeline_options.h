#pragma once
// The options that say how photos flow through the stages, shared by the verbs that run over many.

#include <tessera/detector.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>

#include "pipeline/photo_run.h"

namespace tessera::cli {

struct PipelineOptions {
  int workers = 0;  ///< 0: see share_processors
  std::size_t chunk = 1, chunk_ends = 0;
  bool scaled_decode = false, serial = false;
};

void add_pipeline_options(CLI::App& verb, PipelineOptions& options);

/// How many passes are computed at once; sets options.threads, the threads of each, where it is 0. `wanted` 0: many
/// photos get whole passes beside each other, which needs no waiting inside a pass; one pass gets all threads.
int share_processors(int wanted, std::optional<std::size_t> photos, DetectorOptions& options);

/// detect_photos' options for these words; `photos`: how many there will be, where that is known.
RunOptions run_options(const PipelineOptions& options, const Detector& detector, int workers,
                       std::optional<std::size_t> photos);

}  // namespace tessera::cli
