#include "common/pipeline_options.h"

#include <algorithm>

#include "base/cpu_features.h"
#include "common/interrupt.h"

namespace tessera::cli {

void add_pipeline_options(CLI::App& verb, PipelineOptions& options) {
  constexpr const char* kGroup = "How it runs";
  const auto add_count = [&](const char* name, auto& value, const char* help) {
    verb.add_option(name, value, help)->type_name("N")->check(CLI::Range(1, 1024).description(""))->group(kGroup);
  };
  add_count("--workers", options.workers,
            "Passes computed at once, each with --threads threads (default: as many as processors; 1 for one photo)");
  add_count("--chunk", options.chunk, "Passes handed to a worker at once (default 1; larger suits devices)");
  add_count("--chunk-ends", options.chunk_ends, "Passes of the first and the last chunk (default: as --chunk)");
  verb.add_flag("--serial", options.serial, "One photo at a time, nothing overlaps: what overlap is measured against")
      ->group(kGroup);
  verb.add_flag(
          "--scaled-decode", options.scaled_decode,
          "Decode JPEG at 1/2, 1/4 or 1/8 while that is no smaller than the input: faster, scores change a little")
      ->group(kGroup);
}

int share_processors(int wanted, std::optional<std::size_t> photos, DetectorOptions& options) {
  const int processors = allowed_cpus();
  if (wanted == 0 && photos.has_value() && *photos <= static_cast<std::size_t>(options.mosaic.tiles())) return 1;
  const int workers = wanted > 0 ? wanted : std::max(1, processors / std::max(1, options.threads));
  if (options.threads == 0) options.threads = std::max(1, processors / workers);
  return workers;
}

RunOptions run_options(const PipelineOptions& o, const Detector& detector, int workers,
                       std::optional<std::size_t> photos) {
  RunOptions out;
  out.workers = workers;
  out.chunks = {o.chunk, o.chunk_ends > 0 ? std::min(o.chunk_ends, o.chunk) : o.chunk, photos};
  out.serial = o.serial;
  if (o.scaled_decode) {
    out.decode.min_width = detector.tile_width();
    out.decode.min_height = detector.tile_height();
  }
  out.stopped = interrupted;
  return out;
}

}  // namespace tessera::cli
