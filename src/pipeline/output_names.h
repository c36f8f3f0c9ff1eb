#pragma once
// File names for results, one per photo, in one folder.

#include <tessera/result.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/frames.h"

namespace tessera {

class OutputNames {
 public:
  /// Makes the folder; io when that fails or it is no folder.
  static Result<OutputNames> create(const std::filesystem::path& folder);

  /// folder/STEM.extension of a photo; a second photo of the same stem gets STEM_2, and so on in the order of calls,
  /// so that a rerun gives the same names (files of an earlier run are replaced). "-" becomes "stdin". A stem that
  /// would make the name longer than 255 bytes is cut.
  std::filesystem::path next(std::string_view photo, std::string_view extension);
  /// The same, or for a frame of a video, named frame_name(): folder/STEM_000123.extension. `frame` may be null.
  std::filesystem::path next(std::string_view photo, const FrameInfo* frame, std::string_view extension);
  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  std::filesystem::path take(const std::string& stem, std::string_view extension);
  explicit OutputNames(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace tessera
