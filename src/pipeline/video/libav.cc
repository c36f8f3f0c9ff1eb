#include "pipeline/video/libav.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>

extern "C" {
#include <libavutil/error.h>
#include <libavutil/log.h>
}

#include "base/text.h"

namespace tessera {
namespace {

thread_local char last_words[256] = "";

void keep_error(void*, int level, const char* format, va_list arguments) {
  if (level <= AV_LOG_ERROR) std::vsnprintf(last_words, sizeof last_words, format, arguments);
}

/// One line without the full stop.
std::string tidy(std::string words) {
  for (char& c : words) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  words.erase(std::find_if_not(words.rbegin(), words.rend(), [](char c) { return c == ' ' || c == '.'; }).base(),
              words.end());
  return words;
}

}  // namespace

void keep_av_log() {
  static std::once_flag once;
  std::call_once(once, [] { av_log_set_callback(keep_error); });
}

Code av_code(int status) noexcept {
  switch (status) {
    case AVERROR(ENOENT):
      return Code::not_found;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_PROTOCOL_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
    case AVERROR(ENOSYS):
      return Code::unsupported;
    case AVERROR_INVALIDDATA:
    case AVERROR_EOF:
    case AVERROR(EINVAL):
      return Code::corrupt;
    case AVERROR(ENOMEM):
      return Code::limit_exceeded;
    case AVERROR_EXIT:
      return Code::cancelled;
    default:
      return Code::io;
  }
}

void forget_av_log() { last_words[0] = '\0'; }

bool av_said_an_error() { return last_words[0] != '\0'; }

std::string av_words(int status) {
  if (av_said_an_error()) return tidy(last_words);
  char buffer[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(status, buffer, sizeof buffer);
  return tidy(buffer);
}

Error av_error(std::string_view name, std::string_view what, int status) {
  return {av_code(status), text(name, ": ", what, ": ", av_words(status))};
}

}  // namespace tessera
