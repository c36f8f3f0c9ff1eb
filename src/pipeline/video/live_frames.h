#pragma once
// A camera, a stream, or a file that plays in its own time: a thread reads, the newest frame waits for whoever is free.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "pipeline/frames.h"
#include "pipeline/video/newest_slot.h"
#include "pipeline/video/reader.h"

namespace tessera {

class LiveFrames final : public FrameSource {
 public:
  /// `paced`: frames are held back until their time has come, counted from the first one.
  LiveFrames(std::unique_ptr<VideoReader> reader, const VideoOptions& options, bool paced);
  ~LiveFrames() override;  ///< ends the thread
  Result<std::optional<Frame>> next() override;
  std::optional<std::size_t> total() const override { return std::nullopt; }
  std::int64_t dropped() const override { return slot_.dropped(); }

 private:
  void read();
  bool put(Result<std::optional<VideoReader::Decoded>> decoded);
  bool wait_for(double seconds);

  std::unique_ptr<VideoReader> reader_;
  VideoOptions options_;
  bool paced_;
  std::optional<std::chrono::steady_clock::time_point> begin_;
  NewestSlot<Result<Frame>> slot_;
  std::mutex mutex_;  // of closing_
  std::condition_variable wake_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace tessera
