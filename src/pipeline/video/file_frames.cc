#include "pipeline/video/file_frames.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera {

Frame frame_of(VideoReader::Decoded decoded, std::shared_ptr<FrameConverter> converter) {
  Frame frame;
  frame.info.index = decoded.index;
  frame.info.seconds = decoded.seconds;
  frame.pixels = [source = std::shared_ptr<AVFrame>(std::move(decoded.frame)), converter = std::move(converter)] {
    return converter->convert(*source);
  };
  return frame;
}

FileFrames::FileFrames(std::unique_ptr<VideoReader> reader, const VideoOptions& options)
    : reader_(std::move(reader)), options_(options) {}

Result<std::optional<Frame>> FileFrames::next() {
  const double end =
      options_.duration ? options_.start + *options_.duration - kSlack : std::numeric_limits<double>::infinity();
  while (!over_ && !(options_.stopped && options_.stopped())) {
    auto decoded = reader_->next();
    if (!decoded) return decoded.error();
    if (!*decoded || (*decoded)->seconds >= end) break;
    // Everything before is decoded: only so the index is the frame's, whatever the container's index is worth.
    if ((*decoded)->seconds < options_.start - kSlack || (*decoded)->index % options_.every != 0) continue;
    return std::optional(frame_of(std::move(**decoded), reader_->converter()));
  }
  over_ = true;
  return std::optional<Frame>{};
}

std::optional<std::size_t> FileFrames::total() const {
  const auto frames = reader_->frames();
  const auto rate = reader_->frame_rate();
  const bool part = options_.start > 0 || options_.duration.has_value();
  if (!frames || (part && !rate)) return std::nullopt;
  double from = 0, to = static_cast<double>(*frames);
  if (options_.start > 0) from = std::min(to, std::ceil((options_.start - kSlack) * *rate));
  if (options_.duration) to = std::clamp(std::ceil((options_.start + *options_.duration - kSlack) * *rate), from, to);
  const auto every = static_cast<double>(options_.every);  // multiples of it in [from, to)
  return static_cast<std::size_t>(std::ceil(to / every) - std::ceil(from / every));
}

}  // namespace tessera
