#include "pipeline/output_names.h"

#include <algorithm>
#include <system_error>

#include "base/text.h"

namespace tessera {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxNameBytes = 255;  // of a file, on every common file system

/// The stem, cut so that the whole name may be a file's; never inside a character of UTF-8.
std::string file_name(std::string_view stem, std::string_view ending) {
  std::size_t length = std::min(stem.size(), kMaxNameBytes - ending.size());
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(stem[at]) & 0xC0) == 0x80; };
  for (int step = 0; step < 3 && length > 0 && length < stem.size() && continues(length); ++step) --length;
  return text(stem.substr(0, length), ending);
}

}  // namespace

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
  std::string name = file_name(stem, extension);
  for (int n = 2; !used_.insert(name).second; ++n) name = file_name(stem, text('_', n, extension));
  return folder_ / name;
}

}  // namespace tessera
