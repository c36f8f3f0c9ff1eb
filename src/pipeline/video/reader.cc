#include "pipeline/video/reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace tessera {
namespace {

/// A file that yields nothing but damage is left after so many.
constexpr int kMostDamagedInARow = 100;

bool end_or_again(int status) { return status == AVERROR_EOF || status == AVERROR(EAGAIN); }

}  // namespace

Error VideoReader::damaged(std::string_view why) {
  Error error{Code::corrupt, text(frame_name(name_, index_++), ": the frame is damaged: ", why)};
  if (++damaged_in_a_row_ < kMostDamagedInARow) return error;
  over_ = true;
  error.message = text(name_, ": ", kMostDamagedInARow, " frames in a row are damaged: the rest is not read");
  return error;
}

/// What the file says of its own length, where that is more than a guess.
std::optional<double> VideoReader::announced_seconds() const {
  const auto seconds = [](std::int64_t value, AVRational base) { return static_cast<double>(value) * av_q2d(base); };
  if (stream_->duration != AV_NOPTS_VALUE) return seconds(stream_->duration, stream_->time_base);
  const bool said = format_->duration_estimation_method == AVFMT_DURATION_FROM_STREAM;
  if (format_->duration == AV_NOPTS_VALUE || !said || format_->nb_streams != 1) return std::nullopt;
  return seconds(format_->duration, AVRational{1, AV_TIME_BASE});
}

std::optional<double> VideoReader::frame_rate() const {
  const double rate = av_q2d(stream_->avg_frame_rate);
  return rate > 0 && rate < 1e6 ? std::optional(rate) : std::nullopt;
}

std::optional<std::int64_t> VideoReader::frames() const {
  if (stream_->nb_frames > 0) return stream_->nb_frames;
  const auto rate = frame_rate();
  const auto seconds = announced_seconds();
  if (!seconds || !rate || !(*seconds > 0) || *seconds * *rate > 1e12) return std::nullopt;
  return std::llround(*seconds * *rate);
}

/// The end is told once as an error when the file promised more.
Status VideoReader::end_of_input(int status) {
  drained_ = true;
  const bool said_an_error = av_said_an_error();
  const std::string why = av_words(status);
  avcodec_send_packet(codec_.get(), nullptr);  // the frames that wait inside come out
  if (status != AVERROR_EOF || said_an_error) {
    return Error{av_code(status), text(name_, ": reading ends after ", packets_, " frames: ", why)};
  }
  if (packets_ < listed_packets_) {
    return Error{Code::corrupt,
                 text(name_, ": the file is cut off after ", packets_, " of ", listed_packets_, " frames")};
  }
  return listed_packets_ > 0 ? Status{} : check_announced_length();
}

/// Containers without an index announce a length at most. A last frame that is shown for long is no cut.
Status VideoReader::check_announced_length() const {
  const auto announced = announced_seconds();
  if (!announced || !first_ || packets_ < 2) return {};
  const double length = last_ - *first_;
  const double step = length / static_cast<double>(packets_ - 1);
  if (length + 2 * step + 1.0 >= 0.95 * *announced) return {};
  return Error{Code::corrupt,
               text(name_, ": the file is cut off: it announces ", *announced, " s and ends at ", length, " s")};
}

/// Hands the decoder one packet more.
Status VideoReader::feed() {
  while (true) {
    av_packet_unref(packet_.get());
    forget_av_log();
    patience_->since = std::chrono::steady_clock::now();
    const int status = av_read_frame(format_.get(), packet_.get());
    if (status < 0) return end_of_input(status);
    if (packet_->stream_index != stream_->index) continue;
    ++packets_;
    if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) return damaged("its data is incomplete");
    const int sent = avcodec_send_packet(codec_.get(), packet_.get());
    if (sent < 0 && !end_or_again(sent)) {
      return damaged(av_words(sent));
    }
    return {};
  }
}

double VideoReader::seconds_of(const AVFrame& frame) {
  if (frame.best_effort_timestamp == AV_NOPTS_VALUE) {
    const auto rate = frame_rate();
    return rate ? static_cast<double>(index_) / *rate : 0;
  }
  const double at = static_cast<double>(frame.best_effort_timestamp) * av_q2d(stream_->time_base);
  if (!first_) first_ = at;
  last_ = std::max(last_, at);
  return at - *first_;
}

Result<std::optional<VideoReader::Decoded>> VideoReader::accept(FramePtr frame) {
  if ((frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0) {
    return damaged("parts of it are missing");
  }
  damaged_in_a_row_ = 0;
  Decoded out;
  out.seconds = seconds_of(*frame);
  out.index = index_++;
  out.frame = std::move(frame);
  return std::optional(std::move(out));
}

Result<std::optional<VideoReader::Decoded>> VideoReader::next() {
  while (!over_) {
    FramePtr frame(av_frame_alloc());
    if (!frame) return Error{Code::limit_exceeded, text(name_, ": out of memory")};
    forget_av_log();
    const int status = avcodec_receive_frame(codec_.get(), frame.get());
    if (status == 0) return accept(std::move(frame));
    if (status == AVERROR_EOF || (drained_ && end_or_again(status))) break;
    if (status == AVERROR(EAGAIN)) {
      TESSERA_TRY(feed());
    } else {
      return damaged(av_words(status));
    }
  }
  over_ = true;
  return std::optional<Decoded>{};
}

}  // namespace tessera
