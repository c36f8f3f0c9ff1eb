#include "pipeline/frames.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "pipeline/source.h"
#include "pipeline/stdin_photos.h"

namespace tessera {
namespace fs = std::filesystem;
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kSchemes[] = {"http://", "https://", "rtmp://", "rtp://",
                                         "rtsp://", "rtsps://", "srt://",  "udp://"};
constexpr std::string_view kExtensions[] = {".3gp", ".asf", ".avi", ".flv", ".gif",  ".h264", ".hevc", ".ivf", ".m2ts",
                                            ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg",  ".mts",  ".mxf", ".nut",
                                            ".ogg", ".ogv", ".ts",  ".vob", ".webm", ".wmv",  ".y4m"};

/// What a container begins with, at which byte.
struct Magic {
  std::size_t at;
  std::string_view bytes;
};
constexpr Magic kMagics[] = {
    {4, "ftyp"sv},              // ISO base media: mp4, mov, 3gp
    {4, "moov"sv},              // QuickTime of old
    {0, "\x1a\x45\xdf\xa3"sv},  // EBML: mkv, webm
    {8, "AVI "sv},              // RIFF
    {0, "FLV\x01"sv},           // Flash
    {0, "OggS"sv},              // Ogg
    {0, "\0\0\x01\xba"sv},      // MPEG program stream
    {0, "YUV4MPEG2 "sv},        // y4m
    {0, "GIF8"sv},              // animated or not
    {0, "\x30\x26\xb2\x75"sv},  // ASF
    {0, "DKIF\0\0"sv},          // ivf
};

std::string head_of(const fs::path& path) {
  std::string head(16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return head;
}

bool begins_like_a_video(std::string_view head) {
  return std::ranges::any_of(kMagics, [&](const Magic& m) {
    return head.size() >= m.at + m.bytes.size() && head.substr(m.at, m.bytes.size()) == m.bytes;
  });
}

bool has_video_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kExtensions, extension) != std::end(kExtensions);
}

}  // namespace

bool is_address(const std::string& argument) {
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) { return argument.rfind(scheme, 0) == 0; });
}

SourceKind source_kind(const std::string& argument) {
  if (is_address(argument)) return SourceKind::live;
  std::error_code ignored;
  const auto type = fs::status(argument, ignored).type();
  if (type == fs::file_type::character) {  // also through a link such as /dev/v4l/by-id/...
    return fs::canonical(argument, ignored).string().rfind("/dev/video", 0) == 0 ? SourceKind::live : SourceKind::photo;
  }
  // A photo's name is believed, so that thousands of photos are not opened twice.
  if (type != fs::file_type::regular || has_picture_extension(argument)) return SourceKind::photo;
  const std::string head = head_of(argument);
  if (begins_like_a_video(head)) return SourceKind::video;
  if (looks_like_picture(head) == LooksLikePicture::yes) return SourceKind::photo;
  return has_video_extension(argument) ? SourceKind::video : SourceKind::photo;
}

std::string frame_name(const std::string& video, std::int64_t index) {
  const std::string digits = text(index);
  return text(video, '#', std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0'), digits);
}

std::string_view video_name(std::string_view frame) { return frame.substr(0, frame.rfind('#')); }

}  // namespace tessera
