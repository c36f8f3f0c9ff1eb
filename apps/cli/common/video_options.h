#pragma once
// The options that choose a video's frames.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/frames.h"

namespace tessera::cli {

struct VideoWords {
  std::int64_t every = 1;
  double start = 0;
  std::optional<double> duration;
  bool live = false;
};

void add_video_options(CLI::App& verb, VideoWords& words);

/// Ctrl-C ends waiting for a live frame.
VideoOptions video_options(const VideoWords& words);

/// A camera or an address is among them.
bool any_live(const std::vector<std::string>& arguments);
/// All of them are videos, cameras or addresses.
bool all_videos(const std::vector<std::string>& arguments);

}  // namespace tessera::cli
