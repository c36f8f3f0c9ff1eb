#pragma once
// Where photos come from: files, folders, patterns, standard input. Names are produced one at a time, so a run over
// ten thousand photos holds the names of one folder and the bytes of a few.

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

namespace tessera {

/// One photo to be read, or one thing the user named that yields none (`error`).
struct PhotoFile {
  std::string name;              ///< as results call it: the path as the user or the folder gives it, "-" for stdin
  std::filesystem::path path;    ///< to be read; empty when `bytes` hold the photo or `error` is set
  std::vector<std::byte> bytes;  ///< a photo that came through standard input
  std::optional<Error> error;
};

struct SourceOptions {
  bool recursive = false;         ///< also the folders inside folders
  std::istream* input = nullptr;  ///< what "-" reads; null: "-" is an error
};

/// Walks arguments in the order given. Each is, in this order of preference:
///   "-"        standard input: one photo, when its first bytes are those of a picture format, else a list of paths,
///              one per line, each read as soon as its line is there (`find ... | tessera detect -`);
///   a folder   its files with a picture's extension (.bmp .jpeg .jpg .pgm .png .pnm .ppm .webp, any case), in natural
///              order; with `recursive` then its folders, depth first; a folder met twice (link, loop) is left out;
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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a folder's file of this name counts as a picture.
bool has_picture_extension(const std::filesystem::path& path);

/// Counts what the arguments will yield without reading a photo, for a progress bar; nullopt when standard input takes
/// part. Costs one more listing of the folders.
std::optional<std::size_t> count_photos(const std::vector<std::string>& arguments, bool recursive);

}  // namespace tessera
