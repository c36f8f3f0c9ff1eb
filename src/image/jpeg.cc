// JPEG through libjpeg-turbo's libjpeg interface. The TurboJPEG interface would be shorter, but it keeps only the text
// of the last warning; here each warning is seen, so a photo that ended early is told from one that lacks only its
// end marker.

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>

// clang-format off
#include <jpeglib.h>  // uses FILE and size_t without including anything
#include <jerror.h>   // uses what jpeglib.h defines
// clang-format on

#include "base/text.h"
#include "image/codec.h"
#include "image/exif.h"

namespace tessera::image_internal {
namespace {

// A progressive file may hold any number of scans, each of which costs a pass over the picture. Encoders write ten.
constexpr int kMaxScans = 100;

// What libjpeg has to say. It reports through function pointers and must not return from an error: longjmp. Every
// function that calls setjmp holds only plain data, so no destructor is jumped over.
struct Errors {
  jpeg_error_mgr manager;  // first: libjpeg's pointer to it is our pointer to Errors
  std::jmp_buf leave;
  bool out_of_data, damaged;  // whichever came first: either soon brings the other
  bool hit_end_of_file;
  char message[JMSG_LENGTH_MAX];
};

Errors& errors_of(j_common_ptr info) { return *reinterpret_cast<Errors*>(info->err); }

[[noreturn]] void on_error(j_common_ptr info) {
  Errors& errors = errors_of(info);
  info->err->format_message(info, errors.message);
  std::longjmp(errors.leave, 1);
}

void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;  // trace output
  Errors& errors = errors_of(info);
  switch (info->err->msg_code) {
    case JWRN_HIT_MARKER:
      errors.out_of_data = !errors.damaged;
      break;
    case JWRN_JPEG_EOF:
      errors.hit_end_of_file = true;
      break;
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
      errors.damaged = !errors.out_of_data;
      break;
    default:
      return;  // bytes between segments and the like: every picture viewer lives with them
  }
  if (errors.message[0] == '\0') info->err->format_message(info, errors.message);
}

void no_output(j_common_ptr) {}

void on_progress(j_common_ptr info) {
  const auto* decompress = reinterpret_cast<j_decompress_ptr>(info);
  if (decompress->input_scan_number <= kMaxScans) return;
  Errors& errors = errors_of(info);
  std::snprintf(errors.message, sizeof errors.message, "more than %d scans", kMaxScans);
  std::longjmp(errors.leave, 1);
}

class Decoder {
 public:
  Decoder() : info_{}, errors_{}, progress_{} {
    info_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = on_error;
    errors_.manager.emit_message = on_message;
    errors_.manager.output_message = no_output;
    progress_.progress_monitor = on_progress;
  }
  ~Decoder() { jpeg_destroy_decompress(&info_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  bool read_header(Bytes bytes) noexcept {
    if (setjmp(errors_.leave) != 0) return false;
    jpeg_create_decompress(&info_);
    info_.progress = &progress_;
    jpeg_mem_src(&info_, as_u8(bytes), static_cast<unsigned long>(bytes.size()));
    jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&info_, TRUE);
    return true;
  }
  bool start(unsigned scale_denominator) noexcept {
    if (setjmp(errors_.leave) != 0) return false;
    info_.scale_num = 1;
    info_.scale_denom = scale_denominator;
    const bool cmyk = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&info_);
    return true;
  }
  /// The next rows, each of output_width * output_components bytes, to dst and on.
  bool read_rows(std::uint8_t* const dst, const std::size_t row_bytes, const int rows) noexcept {
    if (setjmp(errors_.leave) != 0) return false;
    copy_rows(dst, row_bytes, rows);
    return true;
  }

  jpeg_decompress_struct& info() noexcept { return info_; }
  bool multiple_scans() noexcept { return jpeg_has_multiple_scans(&info_) != 0; }

  /// Ended early: entropy-coded data ran out, or later scans never came. One scan with all its data but without its
  /// end marker is whole.
  bool ended_early() noexcept { return errors_.out_of_data || (errors_.hit_end_of_file && multiple_scans()); }
  bool damaged() const noexcept { return errors_.damaged; }
  const char* message() const noexcept { return errors_.message; }  ///< of the first warning, or of the error

  Error error() const {
    const int code = errors_.manager.msg_code;
    const bool unsupported = code == JERR_BAD_PRECISION || code == JERR_SOF_UNSUPPORTED ||
                             code == JERR_CONVERSION_NOTIMPL || code == JERR_ARITH_NOTIMPL;
    const bool large = code == JERR_IMAGE_TOO_BIG || code == JERR_OUT_OF_MEMORY;
    return {large         ? Code::limit_exceeded
            : unsupported ? Code::unsupported
                          : Code::corrupt,
            text("jpeg: ", errors_.hit_end_of_file ? "the file ends early: " : "",
                 static_cast<const char*>(errors_.message))};
  }

 private:
  // Apart from setjmp, after which a changed local variable would have no certain value.
  void copy_rows(std::uint8_t* dst, std::size_t row_bytes, int rows) noexcept {
    JSAMPROW row[16];
    for (int left = rows; left > 0;) {
      const int count = std::min(left, 16);
      for (int i = 0; i < count; ++i) row[i] = dst + static_cast<std::size_t>(i) * row_bytes;
      // Memory is the source and errors leave by longjmp, so there is always at least one row.
      const JDIMENSION got = jpeg_read_scanlines(&info_, row, static_cast<JDIMENSION>(count));
      dst += got * row_bytes;
      left -= static_cast<int>(got);
    }
  }

  jpeg_decompress_struct info_;
  Errors errors_;
  jpeg_progress_mgr progress_;
};

int orientation_of(const jpeg_decompress_struct& info) {
  using namespace std::string_view_literals;
  for (jpeg_saved_marker_ptr marker = info.marker_list; marker != nullptr; marker = marker->next) {
    const Bytes block(reinterpret_cast<const std::byte*>(marker->data), marker->data_length);
    if (starts_with(block, "Exif\0\0"sv)) return exif_orientation(block);  // the other APP1 is XMP
  }
  return 1;
}

bool matches(Bytes bytes) { return starts_with(bytes, "\xFF\xD8\xFF"); }

Result<Header> read_header(Bytes bytes) {
  Decoder decoder;
  if (!decoder.read_header(bytes)) return decoder.error();
  const jpeg_decompress_struct& info = decoder.info();
  return Header{info.image_width, info.image_height, orientation_of(info)};
}

// Every 8x8 block of the finest component costs at least one bit (progressive, its first DC scan; sequential, two
// bits), so a file of n bytes holds at most 512 n pixels. Arithmetic coding has no such bound.
Status check_plausible(const jpeg_decompress_struct& info, std::size_t file_bytes) {
  const auto pixels = std::uint64_t{info.image_width} * info.image_height;
  if (info.arith_code || pixels / 512 <= file_bytes) return {};
  return Error{Code::corrupt, text("jpeg: the file ends early: ", info.image_width, "x", info.image_height,
                                   " pixels cannot be held in ", file_bytes, " bytes")};
}

// 1, 2, 4 or 8: the scales libjpeg-turbo has vector code for.
unsigned scale_denominator(const jpeg_decompress_struct& info, const DecodeOptions& options) {
  if (options.min_width <= 0 || options.min_height <= 0) return 1;
  unsigned denominator = 1;
  while (denominator < 8) {
    const unsigned next = denominator * 2;
    if ((info.image_width + next - 1) / next < static_cast<unsigned>(options.min_width) ||
        (info.image_height + next - 1) / next < static_cast<unsigned>(options.min_height)) {
      break;
    }
    denominator = next;
  }
  return denominator;
}

// Ink to light: (1 - ink)(1 - black). Adobe's files store 255 - ink.
void cmyk_to_rgb(const std::uint8_t* cmyk, std::uint8_t* dst, int pixels, bool inverted) {
  const unsigned flip = inverted ? 0 : 255;
  for (int x = 0; x < pixels; ++x, cmyk += 4, dst += 3) {
    for (int c = 0; c < 3; ++c) {
      dst[c] = static_cast<std::uint8_t>(((cmyk[c] ^ flip) * (cmyk[3] ^ flip) + 127) / 255);
    }
  }
}

bool read_pixels(Decoder& decoder, Image& image) {
  const jpeg_decompress_struct& info = decoder.info();
  if (info.out_color_space != JCS_CMYK) return decoder.read_rows(image.row(0), image.row_bytes(), image.height);
  std::vector<std::uint8_t> inks(static_cast<std::size_t>(image.width) * 4);
  for (int y = 0; y < image.height; ++y) {
    if (!decoder.read_rows(inks.data(), inks.size(), 1)) return false;
    cmyk_to_rgb(inks.data(), image.row(y), image.width, info.saw_Adobe_marker != 0);
  }
  return true;
}

Result<Image> decode(Bytes bytes, const Header& header, const DecodeOptions& options) {
  Decoder decoder;
  if (!decoder.read_header(bytes)) return decoder.error();
  const jpeg_decompress_struct& info = decoder.info();
  if (!options.accept_truncated) TESSERA_TRY(check_plausible(info, bytes.size()));
  if (!decoder.start(scale_denominator(info, options))) return decoder.error();
  Image image(static_cast<int>(info.output_width), static_cast<int>(info.output_height));
  image.full_width = static_cast<int>(header.width);
  image.full_height = static_cast<int>(header.height);
  if (!read_pixels(decoder, image)) return decoder.error();
  if (options.accept_truncated) return image;
  if (decoder.ended_early()) return Error{Code::corrupt, "jpeg: the file ends early: pixels are missing"};
  if (decoder.damaged()) return Error{Code::corrupt, text("jpeg: damaged: ", decoder.message())};
  return image;
}

}  // namespace

const Codec kJpegCodec{ImageFormat::jpeg, matches, read_header, decode};

}  // namespace tessera::image_internal
