// The component left out.

#include "base/text.h"
#include "pipeline/video/open_video.h"

namespace tessera {

Result<std::unique_ptr<FrameSource>> open_video(const std::string& argument, const VideoOptions&) {
  return Error{Code::unsupported,
               text(argument,
                    ": this build reads no video: install FFmpeg's libraries (Debian: libavformat-dev "
                    "libavcodec-dev libswscale-dev libavdevice-dev) and build again")};
}

bool reads_video() noexcept { return false; }

}  // namespace tessera
