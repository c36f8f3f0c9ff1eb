#include "pipeline/stdin_photos.h"

#include <algorithm>
#include <istream>
#include <new>

#include "base/text.h"
#include "image/image.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxPathBytes = 65536;

LooksLikePicture prefix_of(std::string_view bytes, std::string_view magic) noexcept {
  const std::size_t n = std::min(bytes.size(), magic.size());
  if (bytes.substr(0, n) != magic.substr(0, n)) return LooksLikePicture::no;
  return n == magic.size() ? LooksLikePicture::yes : LooksLikePicture::more;
}

/// RIFF????WEBP.
LooksLikePicture webp(std::string_view bytes) noexcept {
  const auto riff = prefix_of(bytes, "RIFF");
  if (riff != LooksLikePicture::yes) return riff;
  return bytes.size() <= 8 ? LooksLikePicture::more : prefix_of(bytes.substr(8), "WEBP");
}
/// BM, four bytes of size, four zero bytes: a path may begin with BM but holds no zero byte.
LooksLikePicture bmp(std::string_view bytes) noexcept {
  const auto mark = prefix_of(bytes, "BM");
  if (mark != LooksLikePicture::yes) return mark;
  return bytes.size() <= 6 ? LooksLikePicture::more : prefix_of(bytes.substr(6), std::string_view("\0\0\0\0", 4));
}
/// P2 P3 P5 P6 and a blank. A list whose first line is the two letters P6 would need ./P6.
LooksLikePicture pnm(std::string_view bytes) noexcept {
  if (bytes[0] != 'P') return LooksLikePicture::no;
  if (bytes.size() == 1) return LooksLikePicture::more;
  if (std::string_view("2356").find(bytes[1]) == std::string_view::npos) return LooksLikePicture::no;
  if (bytes.size() == 2) return LooksLikePicture::more;
  return std::string_view(" \t\r\n").find(bytes[2]) == std::string_view::npos ? LooksLikePicture::no
                                                                              : LooksLikePicture::yes;
}

}  // namespace

LooksLikePicture looks_like_picture(std::string_view bytes) noexcept {
  if (bytes.empty()) return LooksLikePicture::more;
  auto answer = LooksLikePicture::no;
  for (const auto one :
       {prefix_of(bytes, "\xff\xd8\xff"), prefix_of(bytes, "\x89PNG"), webp(bytes), bmp(bytes), pnm(bytes)}) {
    if (one == LooksLikePicture::yes) return one;
    if (one == LooksLikePicture::more) answer = one;
  }
  return answer;
}

StdinPhotos::StdinPhotos(std::istream& input) : input_(&input) {
  auto answer = LooksLikePicture::more;
  while (answer == LooksLikePicture::more) {  // byte by byte: a slow list must not wait for bytes it does not need
    const int c = input_->get();
    if (c == std::istream::traits_type::eof()) break;
    head_ += static_cast<char>(c);
    answer = looks_like_picture(head_);
  }
  photo_ = answer == LooksLikePicture::yes;
}

PhotoFile StdinPhotos::read_photo() {
  try {
    return read_photo_bytes();
  } catch (const std::bad_alloc&) {
    return {"-", {}, {}, Error{Code::limit_exceeded, "-: not enough memory for the photo on standard input"}, {}};
  }
}

PhotoFile StdinPhotos::read_photo_bytes() {
  PhotoFile file{"-", {}, {}, {}, {}};
  const auto limit = static_cast<std::size_t>(DecodeLimits{}.max_file_bytes);
  std::string bytes = std::move(head_);
  head_.clear();
  char block[65536];
  while (bytes.size() <= limit && (input_->read(block, sizeof block), input_->gcount() > 0)) {
    bytes.append(block, static_cast<std::size_t>(input_->gcount()));
  }
  if (bytes.size() > limit) {
    file.error = Error{Code::limit_exceeded, text("-: the photo on standard input is longer than ", limit, " bytes")};
    return file;
  }
  const auto view = std::as_bytes(std::span(bytes));
  file.bytes.assign(view.begin(), view.end());
  return file;
}

std::optional<PhotoFile> StdinPhotos::next() {
  if (photo_) {
    photo_ = false;
    any_ = true;
    PhotoFile photo = read_photo();
    if (photo.error) input_->setstate(std::ios::eofbit);  // what is left of it is no list of paths
    return photo;
  }
  while (true) {
    std::string line = std::move(head_);  // begun while sniffing; may already hold whole lines
    head_.clear();
    if (const auto end = line.find('\n'); end != std::string::npos) {
      head_ = line.substr(end + 1);
      line.resize(end);
    } else {
      int c = 0;
      while ((c = input_->get()) != std::istream::traits_type::eof() && c != '\n' && line.size() < kMaxPathBytes) {
        line += static_cast<char>(c);
      }
      if (c != '\n' && line.empty()) break;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    any_ = true;
    if (line.size() >= kMaxPathBytes) {
      input_->setstate(std::ios::eofbit);
      return PhotoFile{
          "-", {}, {}, Error{Code::corrupt, "-: standard input is neither a picture nor a list of paths"}, {}};
    }
    return PhotoFile{line, line, {}, {}, {}};
  }
  if (any_) return std::nullopt;
  any_ = true;
  return PhotoFile{
      "-", {}, {}, Error{Code::not_found, "-: standard input is empty: want a photo or paths, one per line"}, {}};
}

}  // namespace tessera
