#pragma once
// Moving pictures as the run sees them. What reads them (src/pipeline/video) is a component of its own: the program
// hands it in, and the library needs no video decoder.

#include <tessera/result.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "image/image.h"

namespace tessera {

struct FrameInfo {
  std::int64_t index = 0;  ///< counted from 0 as the video has them, whatever is left out
  double seconds = 0;      ///< since the first frame, by the video's own clock
  /// Live sources: when it came, and how many frames between the one before and this one nobody could take in time.
  std::optional<std::chrono::steady_clock::time_point> captured;
  std::int64_t dropped = 0;
};

/// A decoded frame whose pixels are not RGB yet: `pixels` converts and turns them upright. It may be called on any
/// thread, beside others, once.
struct Frame {
  FrameInfo info;
  std::function<Result<Image>()> pixels;
};

struct VideoOptions {
  DecodeLimits limits;             ///< sides and pixels of a frame
  std::int64_t every = 1;          ///< frames 0, every, 2 * every, ...
  double start = 0;                ///< seconds; frames before it are decoded but not given out
  std::optional<double> duration;  ///< seconds from start
  bool live = false;               ///< a file as if a camera showed it: in its own time, the newest frame wins
  int threads = 1;                 ///< of the decoder
  std::function<bool()> stopped;   ///< ends waiting for a live frame; asked from several threads; may be empty
};

/// One open video. One caller at a time.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// The next frame; nullopt at the end. An error stands for one damaged frame or a cut end: ask on for what follows.
  virtual Result<std::optional<Frame>> next() = 0;
  /// Frames that next() will give, as far as the file says; nullopt for a live source.
  virtual std::optional<std::size_t> total() const = 0;
  virtual std::int64_t dropped() const { return 0; }  ///< by a live source so far
};

using VideoOpener = std::function<Result<std::unique_ptr<FrameSource>>(const std::string&, const VideoOptions&)>;

/// What an argument names: `live` is a camera (/dev/video0) or an address (rtsp://, http://, ...). A file is a video
/// when its first bytes, or else its extension, say so; pictures are told by their bytes whatever they are called.
enum class SourceKind { photo, video, live };
SourceKind source_kind(const std::string& argument);
/// http://, rtsp:// and the like.
bool is_address(const std::string& argument);

/// "clip.mp4#000123".
std::string frame_name(const std::string& video, std::int64_t index);
/// The part before "#000123" of a name that frame_name made.
std::string_view video_name(std::string_view frame);

}  // namespace tessera
