// Opening: what the input is, whether it may be read, which stream, which decoder.
#include <mutex>
#include <string_view>

#include "base/text.h"
#include "pipeline/video/reader.h"

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavutil/display.h>
}

namespace tessera {
namespace {

/// Containers that hold their pictures themselves: no playlist, no list of files, no device.
constexpr const char* kFileFormats =
    "asf,avi,dv,flv,gif,h264,hevc,ivf,m4v,matroska,webm,mjpeg,mov,mp4,mpeg,mpegts,mpegvideo,mxf,nut,obu,ogg,rm,wtv,"
    "yuv4mpegpipe";
constexpr const char* kAddressProtocols = "crypto,http,https,httpproxy,rtmp,rtp,rtsp,rtsps,srt,srtp,tcp,tls,udp";
constexpr std::chrono::seconds kAddressPatience{30};

int give_up(void* opaque) {
  const auto& patience = *static_cast<const AvPatience*>(opaque);
  if (patience.closing || (patience.stopped && patience.stopped())) return 1;
  return patience.limit && std::chrono::steady_clock::now() - patience.since > *patience.limit ? 1 : 0;
}

#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
const std::int32_t* display_matrix(const AVStream& stream) {
  const AVCodecParameters& p = *stream.codecpar;
  const AVPacketSideData* found =
      av_packet_side_data_get(p.coded_side_data, p.nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return found != nullptr && found->size >= 36 ? reinterpret_cast<const std::int32_t*>(found->data) : nullptr;
}
#else
const std::int32_t* display_matrix(const AVStream& stream) {
  std::size_t size = 0;
  const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data != nullptr && size >= 36 ? reinterpret_cast<const std::int32_t*>(data) : nullptr;
}
#endif

Status check_size(const std::string& name, const AVCodecParameters& p, const DecodeLimits& limits) {
  const bool sides = p.width <= limits.max_side && p.height <= limits.max_side;
  if (sides && std::int64_t{p.width} * p.height <= limits.max_pixels) return {};
  return Error{Code::limit_exceeded, text(name, ": frames of ", p.width, 'x', p.height, " are above the limit of ",
                                          limits.max_pixels, " pixels and sides of ", limits.max_side)};
}

struct Input {
  std::string url;
  const AVInputFormat* format = nullptr;  // null: by content
};

Result<Input> input_of(const std::string& argument, AvOptions& options) {
  if (is_address(argument)) {
    options.set("protocol_whitelist", kAddressProtocols);
    if (argument.rfind("rtsp", 0) == 0) options.set("rtsp_flags", "prefer_tcp");
    return Input{argument, nullptr};
  }
  if (source_kind(argument) == SourceKind::live) {
    static std::once_flag once;
    std::call_once(once, avdevice_register_all);
    const AVInputFormat* v4l2 = av_find_input_format("v4l2");
    if (v4l2 == nullptr) return Error{Code::unsupported, text(argument, ": FFmpeg here reads no cameras (no v4l2)")};
    return Input{argument, v4l2};
  }
  options.set("protocol_whitelist", "file");
  options.set("format_whitelist", kFileFormats);
  return Input{"file:" + argument, nullptr};  // a path is never a protocol, whatever it looks like
}

}  // namespace

Status VideoReader::open_input(const VideoOptions& options) {
  AvOptions words;
  const auto input = input_of(name_, words);
  if (!input) return input.error();
  patience_->stopped = options.stopped;
  if (is_address(name_)) patience_->limit = kAddressPatience;
  patience_->since = std::chrono::steady_clock::now();
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return Error{Code::limit_exceeded, text(name_, ": out of memory")};
  context->interrupt_callback = {give_up, patience_.get()};
  const int status = avformat_open_input(&context, input->url.c_str(), input->format, words.get());
  if (status < 0) return av_error(name_, "cannot open the video", status);  // libav has freed the context
  format_.reset(context);
  return {};
}

Status VideoReader::find_stream(const VideoOptions& options) {
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    TESSERA_TRY(check_size(name_, *format_->streams[i]->codecpar, options.limits));
  }
  const int status = avformat_find_stream_info(format_.get(), nullptr);
  if (status < 0) return av_error(name_, "cannot read the video", status);
  const int found = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  const bool cover = found >= 0 && (format_->streams[found]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
  if (found < 0 || cover) {
    return Error{Code::unsupported, text(name_, ": no video in it: it holds ", format_->nb_streams,
                                         cover ? " streams, sound and a cover" : " streams of other kinds")};
  }
  stream_ = format_->streams[found];
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    if (static_cast<int>(i) != found) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  listed_packets_ = avformat_index_get_entries_count(stream_);
  return check_size(name_, *stream_->codecpar, options.limits);
}

Status VideoReader::open_decoder(const VideoOptions& options) {
  const AVCodec* decoder = avcodec_find_decoder(stream_->codecpar->codec_id);
  if (decoder == nullptr) {
    return Error{Code::unsupported, text(name_, ": FFmpeg here has no decoder for ",
                                         avcodec_get_name(stream_->codecpar->codec_id), " video")};
  }
  codec_.reset(avcodec_alloc_context3(decoder));
  packet_.reset(av_packet_alloc());
  if (!codec_ || !packet_ || avcodec_parameters_to_context(codec_.get(), stream_->codecpar) < 0) {
    return Error{Code::limit_exceeded, text(name_, ": out of memory")};
  }
  codec_->pkt_timebase = stream_->time_base;
  codec_->max_pixels = options.limits.max_pixels;  // also for sizes that change on the way
  codec_->thread_count = options.threads;
  const int status = avcodec_open2(codec_.get(), decoder, nullptr);
  if (status < 0) return av_error(name_, "cannot open its decoder", status);
  converter_ = std::make_shared<FrameConverter>(orientation_of(display_matrix(*stream_)), options.limits);
  return {};
}

Result<std::unique_ptr<VideoReader>> VideoReader::open(const std::string& argument, const VideoOptions& options) {
  keep_av_log();
  forget_av_log();
  std::unique_ptr<VideoReader> reader(new VideoReader);
  reader->name_ = argument;
  TESSERA_TRY(reader->open_input(options));
  TESSERA_TRY(reader->find_stream(options));
  TESSERA_TRY(reader->open_decoder(options));
  return reader;
}

}  // namespace tessera
