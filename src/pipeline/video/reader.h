#pragma once
// Packets out of a container, frames out of packets.

#include <tessera/result.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/frames.h"
#include "pipeline/video/convert.h"
#include "pipeline/video/libav.h"

namespace tessera {

/// What libav asks while it waits: whether to give up. Shared with the thread that wants to end the waiting.
struct AvPatience {
  std::atomic<bool> closing = false;
  std::function<bool()> stopped;                ///< the user's
  std::optional<std::chrono::seconds> limit;    ///< between two signs of life
  std::chrono::steady_clock::time_point since;  ///< the last one; only the reading thread writes and reads it
};

class VideoReader {
 public:
  /// `argument` as source_kind took it. Everything that can be refused is refused here, before a frame is decoded.
  static Result<std::unique_ptr<VideoReader>> open(const std::string& argument, const VideoOptions& options);

  struct Decoded {
    std::int64_t index = 0;
    double seconds = 0;  ///< since the first frame
    FramePtr frame;
  };
  /// The next frame; nullopt at the end. An error is one damaged frame, or tells that the file is cut: the end follows.
  Result<std::optional<Decoded>> next();

  /// Of the whole file; nullopt when it does not say.
  std::optional<std::int64_t> frames() const;
  std::optional<double> frame_rate() const;  ///< frames per second, on average
  /// Converts what next() gave; outlives the reader.
  std::shared_ptr<FrameConverter> converter() const { return converter_; }
  const std::string& name() const noexcept { return name_; }
  AvPatience& patience() noexcept { return *patience_; }

 private:
  VideoReader() = default;
  Status open_input(const VideoOptions& options);
  Status find_stream(const VideoOptions& options);
  Status open_decoder(const VideoOptions& options);
  Status feed();
  Status end_of_input(int status);
  Result<std::optional<Decoded>> accept(FramePtr frame);
  double seconds_of(const AVFrame& frame);
  std::optional<double> announced_seconds() const;
  Status check_announced_length() const;
  Error damaged(std::string_view why);

  std::string name_;
  std::unique_ptr<AvPatience> patience_ = std::make_unique<AvPatience>();  // libav holds its address
  FormatPtr format_;
  const AVStream* stream_ = nullptr;
  CodecPtr codec_;
  PacketPtr packet_;
  std::shared_ptr<FrameConverter> converter_;
  std::int64_t listed_packets_ = 0;  // what the container's index promised
  std::int64_t packets_ = 0;
  std::int64_t index_ = 0;  // of the next frame
  std::optional<double> first_;
  double last_ = 0;
  int damaged_in_a_row_ = 0;
  bool drained_ = false, over_ = false;
};

}  // namespace tessera
