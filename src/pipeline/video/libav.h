#pragma once
// libav's objects with owners, its errors as ours.

#include <tessera/result.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libswscale/swscale.h>
}

namespace tessera {

/// Calls a libav function that takes the address of the pointer and sets it to null.
template <auto Free>
struct AvFree {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(&object);
  }
};
using FormatPtr = std::unique_ptr<AVFormatContext, AvFree<avformat_close_input>>;
using CodecPtr = std::unique_ptr<AVCodecContext, AvFree<avcodec_free_context>>;
using PacketPtr = std::unique_ptr<AVPacket, AvFree<av_packet_free>>;
using FramePtr = std::unique_ptr<AVFrame, AvFree<av_frame_free>>;
struct FreeSws {
  void operator()(SwsContext* context) const noexcept { sws_freeContext(context); }
};
using SwsPtr = std::unique_ptr<SwsContext, FreeSws>;

/// Options on their way into a libav call, which takes out those it knows.
class AvOptions {
 public:
  AvOptions() = default;
  AvOptions(const AvOptions&) = delete;
  AvOptions& operator=(const AvOptions&) = delete;
  ~AvOptions() { av_dict_free(&dictionary_); }
  void set(const char* key, const char* value) { av_dict_set(&dictionary_, key, value, 0); }
  void set(const char* key, std::int64_t value) { av_dict_set_int(&dictionary_, key, value, 0); }
  AVDictionary** get() noexcept { return &dictionary_; }

 private:
  AVDictionary* dictionary_ = nullptr;
};

/// Takes libav's log away from stderr, once per process. Errors said on a thread are kept for av_error.
void keep_av_log();

/// "clip.mp4: cannot open the video: moov atom not found". `status` is a negative AVERROR; the last error that libav
/// said on this thread since forget_av_log() is preferred to the status' own words.
Error av_error(std::string_view name, std::string_view what, int status);
Code av_code(int status) noexcept;
/// The reason alone.
std::string av_words(int status);
void forget_av_log();
bool av_said_an_error();  ///< on this thread since forget_av_log()

}  // namespace tessera
