#pragma once
// All frames of a file, or those that were asked for.

#include <memory>

#include "pipeline/frames.h"
#include "pipeline/video/reader.h"

namespace tessera {

class FileFrames final : public FrameSource {
 public:
  FileFrames(std::unique_ptr<VideoReader> reader, const VideoOptions& options);
  Result<std::optional<Frame>> next() override;
  std::optional<std::size_t> total() const override;

 private:
  std::unique_ptr<VideoReader> reader_;
  VideoOptions options_;
  bool over_ = false;
};

/// Seconds by which a frame may miss a bound: 0.4 + 0.2 is not 0.6 in binary.
inline constexpr double kSlack = 1e-6;

/// A frame for the run, to be converted when a thread has time for it.
Frame frame_of(VideoReader::Decoded decoded, std::shared_ptr<FrameConverter> converter);

}  // namespace tessera
