// BI_RLE8 and BI_RLE4: pairs of bytes (count, value), or an escape when count is 0. Rows from the bottom up.
// Source: Microsoft, "Bitmap Compression".

#include <algorithm>

#include "image/bmp.h"

namespace tessera::image_internal {
namespace {

constexpr unsigned kEndOfLine = 0, kEndOfBitmap = 1, kDelta = 2;  // escapes; higher: that many pixels follow

class RleReader {
 public:
  RleReader(Bytes raster, const BmpLayout& layout)
      : bytes_(raster), four_bits_(layout.bits == 4), width_(layout.width), height_(layout.height) {
    indices_.resize(static_cast<std::size_t>(width_ * height_));
  }

  Result<std::vector<std::uint8_t>> read() {
    while (y_ < height_) {
      const auto pair = slice(bytes_, offset_, 2);
      if (!pair) return ended();
      offset_ += 2;
      const unsigned count = byte_at(*pair, 0), value = byte_at(*pair, 1);
      if (count == 0 && value == kEndOfBitmap) break;
      if (const Status done = count > 0 ? run(count, value) : escape(value); !done.has_value()) return done.error();
    }
    return std::move(indices_);
  }

 private:
  static Error ended() { return {Code::corrupt, "bmp: the file ends early: run lengths stop before the picture does"}; }
  static Error outside() { return {Code::corrupt, "bmp: a run length leaves the picture"}; }

  Status escape(unsigned kind) {
    if (kind == kEndOfLine) {
      x_ = 0;
      ++y_;
      return {};
    }
    return kind == kDelta ? delta() : literal(kind);
  }
  Status run(unsigned count, unsigned value) {
    if (x_ + count > width_) return outside();
    for (unsigned i = 0; i < count; ++i) put(four_bits_ ? nibble(value, i) : value);
    return {};
  }
  Status delta() {
    const auto step = slice(bytes_, offset_, 2);
    if (!step) return ended();
    offset_ += 2;
    x_ += byte_at(*step, 0);
    y_ += byte_at(*step, 1);
    if (x_ > width_ || y_ > height_) return outside();
    return {};
  }
  /// `count` pixels as they are, padded to a whole number of 16-bit words.
  Status literal(unsigned count) {
    const std::size_t used = four_bits_ ? (count + 1) / 2 : count;
    const auto src = slice(bytes_, offset_, used);
    if (!src) return ended();
    if (x_ + count > width_) return outside();
    for (unsigned i = 0; i < count; ++i) put(four_bits_ ? nibble(byte_at(*src, i / 2), i) : byte_at(*src, i));
    offset_ += (used + 1) / 2 * 2;
    return {};
  }
  static unsigned nibble(unsigned byte, unsigned i) { return i % 2 == 0 ? byte >> 4 : byte & 15; }
  void put(unsigned index) {
    indices_[static_cast<std::size_t>((height_ - 1 - y_) * width_ + x_++)] = static_cast<std::uint8_t>(index);
  }

  Bytes bytes_;
  bool four_bits_;
  std::int64_t width_, height_;
  std::uint64_t offset_ = 0;
  std::int64_t x_ = 0, y_ = 0;
  std::vector<std::uint8_t> indices_;
};

}  // namespace

Result<std::vector<std::uint8_t>> read_bmp_rle(Bytes raster, const BmpLayout& layout) {
  return RleReader(raster, layout).read();
}

}  // namespace tessera::image_internal
