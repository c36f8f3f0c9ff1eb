#include "model/native/blob.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>

#include "base/text.h"
#include "model/native/crc32.h"
#include "model/native/native.h"
#include "model/stored_numbers.h"
#include "model/untrusted_text.h"

namespace tessera::native {
namespace {

/// A field that is one whole number; nullopt when it is absent or not one.
std::optional<std::uint64_t> number(const HeaderLine& line, std::string_view key) {
  const HeaderField* field = line.find(key);
  return field == nullptr ? std::nullopt : parse_number<std::uint64_t>(field->value);
}

std::string_view word(const HeaderLine& line, std::string_view key) {
  const HeaderField* field = line.find(key);
  return field == nullptr ? std::string_view() : field->value;
}

struct Scanned {
  std::uint32_t crc = 0;
  bool finite = true;  ///< no four bytes in a row are a NaN or an infinity, as far as they were looked at
};

/// One way through a blob that comes from memory or from a disk: both checks of a piece while it is in the cache.
Scanned scan(std::string_view blob) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const bool aligned = reinterpret_cast<std::uintptr_t>(blob.data()) % alignof(float) == 0;
  Scanned out{.finite = aligned};
  for (; !blob.empty(); blob.remove_prefix(std::min(kPiece, blob.size()))) {
    const std::string_view piece = blob.substr(0, kPiece);
    out.crc = crc32(std::as_bytes(std::span(piece)), out.crc);
    if (out.finite) {
      const auto* numbers = reinterpret_cast<const float*>(piece.data());
      out.finite = !first_not_finite({numbers, piece.size() / sizeof(float)});
    }
  }
  return out;
}

Status check_blob(const HeaderLine& line, std::string_view blob, std::uint32_t crc, std::string_view model) {
  const auto bytes = number(line, "bytes");
  if (!bytes || line.fields.size() != 2) return header_error(model, line.number, "want 'blob bytes=N crc32=XXXXXXXX'");
  if (*bytes != blob.size()) {
    return header_error(model, line.number, text("a blob of ", *bytes, " bytes expected, ", blob.size(), " found"));
  }
  std::uint32_t said = 0;
  const std::string_view digits = word(line, "crc32");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), said, 16);
  const bool whole = digits.size() == 8 && error == std::errc() && end == digits.data() + digits.size();
  if (whole && said == crc) return {};
  return header_error(model, line.number, "the blob's checksum is not the one stated; the file was changed");
}

class ConstantReader {
 public:
  ConstantReader(std::string_view blob, bool finite, const FileBytes* file, std::string_view model)
      : blob_(blob), finite_(finite), file_(file), model_(model) {}

  Status read(const HeaderLine& line) {
    const std::size_t begin = (end_ + kAlign - 1) / kAlign * kAlign;
    if (line.fields.size() != 4 || word(line, "type") != "f32") {
      return header_error(model_, line.number, "want 'constant index=I type=f32 offset=N count=N'");
    }
    if (number(line, "index") != constants_.size() || number(line, "offset") != begin) {
      return header_error(model_, line.number,
                          text("the next constant is index=", constants_.size(), " at offset=", begin));
    }
    auto constant = take(line, blob_.substr(std::min(begin, blob_.size())));
    if (!constant) return constant.error();
    end_ = begin + (*constant)->size() * sizeof(float);
    constants_.push_back(std::move(*constant));
    return {};
  }

  Result<Constants> finish() {
    if (end_ == blob_.size()) return std::move(constants_);
    return Error{Code::corrupt,
                 text("model ", quoted(model_), ": the constants take ", end_, " bytes, the blob has ", blob_.size())};
  }

 private:
  Result<Constant> take(const HeaderLine& line, std::string_view rest) const {
    const auto count = number(line, "count");
    if (!count || *count > rest.size() / sizeof(float)) {
      return header_error(model_, line.number,
                          text("constant of ", quoted(word(line, "count")), " numbers; the blob has ",
                               rest.size() / sizeof(float), " left"));
    }
    const std::string_view bytes = rest.substr(0, static_cast<std::size_t>(*count) * sizeof(float));
    Constant numbers = stored_numbers(std::as_bytes(std::span(bytes)), file_);
    const auto bad = finite_ ? std::nullopt : first_not_finite(*numbers);
    if (!bad) return numbers;
    return header_error(model_, line.number, text("number ", *bad, " is ", (*numbers)[*bad], ", want a finite one"));
  }

  std::string_view blob_;
  bool finite_;  // all of it, as far as is known
  const FileBytes* file_;
  std::string_view model_;
  std::size_t end_ = 0;
  Constants constants_;
};

}  // namespace

Result<Constants> read_constants(const Header& header, const FileBytes* file, std::string_view model) {
  const auto is_blob = [](const HeaderLine& line) { return line.word == "blob"; };
  if (std::ranges::count_if(header.lines, is_blob) != 1) {
    return Error{Code::corrupt, text("model ", quoted(model), ": want one line 'blob'")};
  }
  if (file != nullptr) bring_in(std::as_bytes(std::span(header.blob)));
  const Scanned scanned = scan(header.blob);
  TESSERA_TRY(check_blob(*std::ranges::find_if(header.lines, is_blob), header.blob, scanned.crc, model));
  ConstantReader reader(header.blob, scanned.finite, file, model);
  for (const HeaderLine& line : header.lines) {
    if (line.word == "constant") TESSERA_TRY(reader.read(line));
  }
  return reader.finish();
}

}  // namespace tessera::native
