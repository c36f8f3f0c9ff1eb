#include "pipeline/output_names.h"

#include <system_error>

#include "base/text.h"

namespace tessera {
namespace fs = std::filesystem;

Result<OutputNames> OutputNames::create(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);  // an existing folder is no error, an existing file is
  if (error) return Error{Code::io, text(folder.string(), ": cannot make the output folder: ", error.message())};
  if (!fs::is_directory(folder, error)) {
    return Error{Code::io, text(folder.string(), ": the output folder is not a folder")};
  }
  return OutputNames(folder);
}

fs::path OutputNames::next(std::string_view photo, std::string_view extension) {
  return take(photo == "-" ? "stdin" : fs::path(photo).stem().string(), extension);
}

fs::path OutputNames::next(std::string_view photo, const FrameInfo* frame, std::string_view extension) {
  if (frame == nullptr) return next(photo, extension);
  const std::string_view video = video_name(photo);
  std::string stem = fs::path(video).stem().string();
  if (stem.empty()) stem = "video";  // an address that ends in a slash
  return take(text(stem, '_', photo.substr(video.size() + 1)), extension);
}

fs::path OutputNames::take(const std::string& stem, std::string_view extension) {
  std::string name = stem;
  for (int n = 2; !used_.insert(name).second; ++n) name = text(stem, '_', n);
  return folder_ / text(name, extension);
}

}  // namespace tessera
