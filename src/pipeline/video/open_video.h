#pragma once
// Video files, cameras and streams through FFmpeg's libraries.

#include "pipeline/frames.h"

namespace tessera {

/// Opens what source_kind calls a video or live.
///
/// A file is read frame by frame; a live source (and a file with `live`) by a thread of its own that keeps the newest
/// frame only. Frames are upright as the container's display matrix says, colors converted by the stream's own matrix
/// and range as ffmpeg does. Local files are read as containers only: a playlist cannot lead to other files.
/// Errors  unsupported: built without FFmpeg, no decoder, no video in it; corrupt, not_found, io; limit_exceeded: a
/// frame
///         larger than options.limits. The text begins with the argument.
/// Threads safe to call at once. Sets libav's log callback for the process: its words go into the errors.
Result<std::unique_ptr<FrameSource>> open_video(const std::string& argument, const VideoOptions& options);

/// Whether this build has FFmpeg.
bool reads_video() noexcept;

}  // namespace tessera
