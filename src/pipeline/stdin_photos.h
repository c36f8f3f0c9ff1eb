#pragma once
// "-": one photo or a list of paths, told apart by the first bytes.

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/source.h"

namespace tessera {

/// Whether bytes begin like a picture format; `more` when that many bytes cannot tell yet.
enum class LooksLikePicture { no, yes, more };
LooksLikePicture looks_like_picture(std::string_view bytes) noexcept;

class StdinPhotos {
 public:
  explicit StdinPhotos(std::istream& input);
  std::optional<PhotoFile> next();

 private:
  PhotoFile read_photo();
  PhotoFile read_photo_bytes();
  std::istream* input_;
  std::string head_;  // read while sniffing
  bool photo_ = false;
  bool any_ = false;
};

}  // namespace tessera
