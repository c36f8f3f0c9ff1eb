#include "pipeline/video/live_frames.h"

#include <algorithm>
#include <utility>

#include "pipeline/video/file_frames.h"

namespace tessera {
namespace {

constexpr double kLongestWait = 1e6;  // seconds; a damaged file's times may say anything

}  // namespace

LiveFrames::LiveFrames(std::unique_ptr<VideoReader> reader, const VideoOptions& options, bool paced)
    : reader_(std::move(reader)), options_(options), paced_(paced), thread_([this] { read(); }) {}

LiveFrames::~LiveFrames() {
  reader_->patience().closing = true;  // libav's waiting ends
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

Result<std::optional<Frame>> LiveFrames::next() {
  auto taken = slot_.take(options_.stopped);
  if (!taken) return std::optional<Frame>{};
  if (!taken->value) return taken->value.error();
  taken->value->info.dropped = taken->dropped;
  return std::optional(std::move(*taken->value));
}

/// Until the time of this frame has come; false when nobody wants it any more.
bool LiveFrames::wait_for(double seconds) {
  const auto now = std::chrono::steady_clock::now();
  if (!begin_) begin_ = now;
  std::unique_lock lock(mutex_);
  const auto due = *begin_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongestWait)));
  return !wake_.wait_until(lock, due, [&] { return closing_; });
}

/// False after the last one.
bool LiveFrames::put(Result<std::optional<VideoReader::Decoded>> decoded) {
  if (!decoded) {
    slot_.put(decoded.error());
    return true;
  }
  if (!*decoded) return false;
  const VideoReader::Decoded& frame = **decoded;
  if (options_.duration && frame.seconds >= options_.start + *options_.duration - kSlack) return false;
  if (frame.seconds < options_.start - kSlack || frame.index % options_.every != 0) return true;
  if (paced_ && !wait_for(frame.seconds - options_.start)) return false;
  Frame out = frame_of(std::move(**decoded), reader_->converter());
  out.info.captured = std::chrono::steady_clock::now();
  slot_.put(std::move(out));
  return true;
}

void LiveFrames::read() {
  while (!reader_->patience().closing && put(reader_->next())) {
  }
  slot_.close();
}

}  // namespace tessera
