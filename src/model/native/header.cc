#include "model/native/header.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "model/load.h"
#include "model/native/crc32.h"
#include "model/native/native.h"
#include "model/untrusted_text.h"

namespace tessera::native {
namespace {

constexpr std::string_view kEnd = "\nend crc32=";
constexpr std::size_t kCrcDigits = 8;

Status parse_field(std::string_view model, std::string_view piece, HeaderLine& line) {
  const auto equals = piece.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return header_error(model, line.number, text(quoted(piece), " is not key=value"));
  }
  const std::string_view key = piece.substr(0, equals);
  if (line.find(key) != nullptr) return header_error(model, line.number, text("key ", quoted(key), " is given twice"));
  if (line.fields.size() == kMaxFields)
    return header_error(model, line.number, text("more than ", kMaxFields, " fields"));
  line.fields.push_back({key, piece.substr(equals + 1)});
  return {};
}

Result<HeaderLine> parse_line(std::string_view model, std::string_view rest, int number) {
  HeaderLine line{.number = number, .word = next_piece(rest, ' '), .fields = {}};
  if (line.word.empty()) return header_error(model, number, "begins with no word");
  while (!rest.empty()) TESSERA_TRY(parse_field(model, next_piece(rest, ' '), line));
  return line;
}

/// Where the last line's newline (before "end") stands; npos without one within the limit.
std::size_t find_end(std::string_view file) {
  return file.substr(0, static_cast<std::size_t>(kMaxTextBytes)).find(kEnd);
}

Status check_crc(std::string_view model, std::string_view covered, std::string_view digits) {
  std::uint32_t said = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), said, 16);
  const std::uint32_t found = crc32(std::as_bytes(std::span(covered)));
  const bool whole = error == std::errc() && end == digits.data() + digits.size() && digits.size() == kCrcDigits;
  if (whole && said == found) return {};
  return Error{Code::corrupt, text("model ", quoted(model), ": the header's checksum is not the one it states (",
                                   quoted(digits), "); the file was changed or cut")};
}

}  // namespace

const HeaderField* HeaderLine::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(fields, key, &HeaderField::key);
  return found == fields.end() ? nullptr : &*found;
}

Error header_error(std::string_view model, int line, std::string_view fact) {
  return {Code::corrupt, text("model ", quoted(model), ": header line ", line, ": ", fact)};
}

Result<Header> parse_header(std::string_view file, std::string_view model) {
  if (const auto first = file.substr(0, file.find('\n')); first != kMagic) {
    return Error{Code::unsupported,
                 text("model ", quoted(model), ": this is ", quoted(first), ", want ", quoted(kMagic))};
  }
  const std::size_t end = find_end(file);
  if (end == std::string_view::npos) {
    return Error{Code::corrupt, text("model ", quoted(model), ": no line 'end crc32=' within ", kMaxTextBytes,
                                     " bytes; the file was cut")};
  }
  const std::string_view covered = file.substr(0, end + 1);
  TESSERA_TRY(check_crc(model, covered, file.substr(end + kEnd.size(), kCrcDigits)));

  Header header;
  std::string_view rest = covered.substr(kMagic.size() + 1);
  for (int number = 2; !rest.empty(); ++number) {
    auto line = parse_line(model, rest.substr(0, rest.find('\n')), number);
    if (!line) return line.error();
    header.lines.push_back(std::move(*line));
    rest.remove_prefix(rest.find('\n') + 1);  // covered ends in one
  }
  // The last line ends in a newline; more of them fill up to the blob.
  const std::size_t text_end = end + kEnd.size() + kCrcDigits;
  const std::size_t begin = (text_end + 1 + kAlign - 1) / kAlign * kAlign;
  if (file.size() < begin ||
      file.substr(text_end, begin - text_end).find_first_not_of('\n') != std::string_view::npos) {
    return Error{Code::corrupt,
                 text("model ", quoted(model), ": the header is not followed by newlines up to byte ", begin)};
  }
  header.blob = file.substr(begin);
  return header;
}

}  // namespace tessera::native
