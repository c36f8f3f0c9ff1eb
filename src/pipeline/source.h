#pragma once
// Where photos come from: files, folders, patterns, standard input, videos frame by frame. Names are produced one at a
// time, so a run over ten thousand photos holds the names of one folder and the bytes of a few.

#include <tessera/result.h>

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/frames.h"

namespace tessera {

/// One photo to be read, or one thing the user named that yields none (`error`).
struct PhotoFile {
  std::string name;              ///< as results call it: the path as the user or the folder gives it, "-" for stdin
  std::filesystem::path path;    ///< to be read; empty when `bytes` hold the photo or `error` is set
  std::vector<std::byte> bytes;  ///< a photo that came through standard input
  std::optional<Error> error;
  std::optional<Frame> frame;  ///< of a video; then `path` and `bytes` are empty
};

struct SourceOptions {
  bool recursive = false;         ///< also the folders inside folders
  std::istream* input = nullptr;  ///< what "-" reads; null: "-" is an error
  VideoOpener open_video;         ///< empty: a video is an error
  VideoOptions video;
};

/// Walks arguments in the order given. Each is, in this order of preference:
///   "-"        standard input: one photo, when its first bytes are those of a picture format, else a list of paths,
///              one per line, each read as soon as its line is there (`find ... | tessera detect -`);
///   a folder   its files with a picture's extension (.bmp .jpeg .jpg .pgm .png .pnm .ppm .webp, any case), in natural
///              order; with `recursive` then its folders, depth first; a folder met twice (link, loop) is left out;
///   a video    a file that source_kind calls one, a camera, an address: its frames, named frame_name(); one that is
///   cut
///              or damaged gives its good frames and an error for each other one;
///   a file     of any name;
///   a pattern  with * ? [ ] as in glob(7), when no file has that very name; matches in natural order, folders among
///              them are walked.
/// What cannot be found, or holds no picture, comes out as an item with an error: nothing is dropped in silence.
class PhotoSource {
 public:
  PhotoSource(std::vector<std::string> arguments, const SourceOptions& options);
  PhotoSource(PhotoSource&&) noexcept;
  PhotoSource& operator=(PhotoSource&&) noexcept;
  ~PhotoSource();

  /// The next one, or nullopt at the end. One caller at a time.
  std::optional<PhotoFile> next();
  /// Frames of live sources that nobody could take in time, so far. For the caller of next(), or after the run.
  std::int64_t dropped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a folder's file of this name counts as a picture.
bool has_picture_extension(const std::filesystem::path& path);

/// Counts what the arguments will yield without reading a photo, for a progress bar; nullopt when standard input, a
/// live source or a video of unknown length takes part. Costs one more listing of the folders and opening of the
/// videos, with `open_video`; empty: a video counts as one failure. The number of frames is what the videos say of
/// themselves.
std::optional<std::size_t> count_photos(const std::vector<std::string>& arguments, bool recursive,
                                        const VideoOpener& open_video = {}, const VideoOptions& video = {});

}  // namespace tessera
