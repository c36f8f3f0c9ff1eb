#pragma once
// A picture as decoded: interleaved RGB, 8 bits, upright. Reading bytes, guessing formats, writing results.
// Nothing here looks at file names: the format is told by the content.

#include <tessera/image.h>
#include <tessera/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tessera {

/// Owns its pixels, rows without gaps. An empty image has width == height == 0.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;     ///< width * height * 3
  int full_width = 0, full_height = 0;  ///< of the photo; larger than width, height after a scaled decode

  Image() = default;
  Image(int w, int h, Rgb color = {});  ///< filled with one color; w, h >= 0
  std::uint8_t* row(int y) noexcept { return pixels.data() + static_cast<std::size_t>(y) * row_bytes(); }
  const std::uint8_t* row(int y) const noexcept { return pixels.data() + static_cast<std::size_t>(y) * row_bytes(); }
  std::size_t row_bytes() const noexcept { return static_cast<std::size_t>(width) * 3; }
  Rgb pixel(int x, int y) const noexcept { return view().pixel(x, y); }
  ImageView view() const noexcept { return {pixels.data(), width, height, static_cast<std::int64_t>(row_bytes())}; }
};

enum class ImageFormat : std::uint8_t { bmp, jpeg, png, pnm, webp };
const char* to_string(ImageFormat format) noexcept;  ///< the names above

/// What a photo may ask of this machine. Checked against the declared size before anything is allocated.
struct DecodeLimits {
  std::int64_t max_pixels = std::int64_t{1} << 28;      ///< 268,435,456: 768 MiB of RGB
  std::int64_t max_file_bytes = std::int64_t{1} << 30;  ///< 1 GiB
  int max_side = 65535;
};

struct DecodeOptions {
  DecodeLimits limits;
  Rgb background{255, 255, 255};  ///< shows through transparent pixels (PNG, WebP)
  bool apply_orientation = true;  ///< turn the picture upright as its EXIF says
  bool accept_truncated = false;  ///< JPEG: keep what was there instead of refusing; the rest is the codec's grey
  /// JPEG only, when both are > 0: may decode at 1/2, 1/4 or 1/8 as long as the upright picture keeps at least this
  /// size (cheaper; every output pixel averages the photo's, so detections can differ from a full decode).
  int min_width = 0, min_height = 0;
};

struct ImageInfo {
  ImageFormat format = ImageFormat::jpeg;
  int width = 0, height = 0;  ///< upright, that is after orientation
  int orientation = 1;        ///< EXIF 1..8; 1 when absent or nonsense
};

/// Decodes a whole file held in memory: JPEG, PNG, WebP (first frame if animated), BMP, PNM (P2 P3 P5 P6).
/// Errors  unsupported: no known format, or a variant that is not read; corrupt: bytes against the format, or ended
///         early; limit_exceeded: see DecodeLimits. The text begins with the format; it does not know the file's name.
/// Threads safe to call at once.
Result<Image> decode_image(std::span<const std::byte> bytes, const DecodeOptions& options = {});

/// Format, upright size and orientation from the headers alone; the same limits as decode_image.
Result<ImageInfo> probe_image(std::span<const std::byte> bytes, const DecodeOptions& options = {});

/// A whole file. not_found, io, invalid_argument (a folder), or limit_exceeded when it is longer than max_bytes; the
/// text names the path.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::int64_t max_bytes = DecodeLimits{}.max_file_bytes);
/// Replaces the file at `path`. io when that fails, invalid_argument when a file cannot have that name (too long, or a
/// folder has it). A file that was begun is taken away again.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// JPEG at quality 1..100, 4:2:0 below 90 and 4:4:4 from 90 on (coloured box lines stay sharp).
Result<std::vector<std::byte>> encode_jpeg(const ImageView& image, int quality = 90);
/// PNG, 8-bit RGB.
Result<std::vector<std::byte>> encode_png(const ImageView& image);

}  // namespace tessera
