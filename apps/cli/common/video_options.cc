#include "common/video_options.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/cpu_features.h"
#include "base/text.h"
#include "common/interrupt.h"

namespace tessera::cli {
namespace {

/// For CLI11; CLI::Range would let NaN pass.
std::string check_seconds(const std::string& word, bool zero) {
  double value = -1;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool number = status == std::errc() && end == word.data() + word.size();
  if (number && value < 1e9 && (value > 0 || (zero && value == 0))) return "";
  return text("'", word, "': want seconds, ", zero ? "0 or more" : "above 0");
}

}  // namespace

void add_video_options(CLI::App& verb, VideoWords& words) {
  constexpr const char* kGroup = "Videos";
  verb.add_option("--every", words.every, "Of a video's frames, one in N (default 1: all)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}).description(""))
      ->group(kGroup);
  verb.add_option("--start", words.start, "Leave out a video's frames before this time")
      ->type_name("SECONDS")
      ->check([](const std::string& word) { return check_seconds(word, true); })
      ->group(kGroup);
  verb.add_option("--duration", words.duration, "End a video so long after its start")
      ->type_name("SECONDS")
      ->check([](const std::string& word) { return check_seconds(word, false); })
      ->group(kGroup);
  verb.add_flag("--live", words.live,
                "Play a file in its own time as a camera would: frames that nobody can take in time are dropped")
      ->group(kGroup);
}

VideoOptions video_options(const VideoWords& words) {
  VideoOptions options;
  options.every = words.every;
  options.start = words.start;
  options.duration = words.duration;
  options.live = words.live;
  options.threads = std::clamp(allowed_cpus() / 4, 1, 8);  // the network wants most of the processors
  options.stopped = interrupted;
  return options;
}

bool any_live(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const auto& a) { return source_kind(a) == SourceKind::live; });
}

bool all_videos(const std::vector<std::string>& arguments) {
  return std::ranges::all_of(arguments, [](const auto& a) { return source_kind(a) != SourceKind::photo; });
}

}  // namespace tessera::cli
