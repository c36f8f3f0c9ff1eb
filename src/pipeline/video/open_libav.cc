#include "pipeline/video/file_frames.h"
#include "pipeline/video/live_frames.h"
#include "pipeline/video/open_video.h"

namespace tessera {

Result<std::unique_ptr<FrameSource>> open_video(const std::string& argument, const VideoOptions& options) {
  const bool live = source_kind(argument) == SourceKind::live;
  VideoOptions chosen = options;
  if (live || options.live) chosen.threads = 1;  // frame threads would hold frames back
  auto reader = VideoReader::open(argument, chosen);
  if (!reader) return reader.error();
  if (!live && !options.live) {
    return std::unique_ptr<FrameSource>(std::make_unique<FileFrames>(std::move(*reader), chosen));
  }
  // Cameras and rtsp come in their own time; a file, also one behind http, comes as fast as it can be read.
  const bool paced = !live || argument.rfind("http", 0) == 0;
  return std::unique_ptr<FrameSource>(std::make_unique<LiveFrames>(std::move(*reader), chosen, paced));
}

bool reads_video() noexcept { return true; }

}  // namespace tessera
