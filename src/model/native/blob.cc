#include "model/native/blob.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>

#include "base/text.h"
#include "model/native/crc32.h"
#include "model/native/native.h"
#include "model/untrusted_text.h"

namespace tessera::native {
namespace {

static_assert(std::endian::native == std::endian::little, "f32 runs are copied as they stand");

/// A field that is one whole number; nullopt when it is absent or not one.
std::optional<std::uint64_t> number(const HeaderLine& line, std::string_view key) {
  const HeaderField* field = line.find(key);
  return field == nullptr ? std::nullopt : parse_number<std::uint64_t>(field->value);
}

std::string_view word(const HeaderLine& line, std::string_view key) {
  const HeaderField* field = line.find(key);
  return field == nullptr ? std::string_view() : field->value;
}

Status check_blob(const HeaderLine& line, std::string_view blob, std::string_view model) {
  const auto bytes = number(line, "bytes");
  if (!bytes || line.fields.size() != 2) return header_error(model, line.number, "want 'blob bytes=N crc32=XXXXXXXX'");
  if (*bytes != blob.size()) {
    return header_error(model, line.number, text("a blob of ", *bytes, " bytes expected, ", blob.size(), " found"));
  }
  std::uint32_t said = 0;
  const std::string_view digits = word(line, "crc32");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), said, 16);
  const bool whole = digits.size() == 8 && error == std::errc() && end == digits.data() + digits.size();
  if (whole && said == crc32(std::as_bytes(std::span(blob)))) return {};
  return header_error(model, line.number, "the blob's checksum is not the one stated; the file was changed");
}

Result<Constant> read_constant(const HeaderLine& line, std::string_view rest, std::string_view model) {
  const auto count = number(line, "count");
  if (!count || *count > rest.size() / sizeof(float)) {
    return header_error(model, line.number,
                        text("constant of ", quoted(word(line, "count")), " numbers; the blob has ",
                             rest.size() / sizeof(float), " left"));
  }
  auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(*count));
  // An empty vector may have no address, which memcpy must not be given.
  if (!values->empty()) std::memcpy(values->data(), rest.data(), values->size() * sizeof(float));
  const auto bad = std::ranges::find_if(*values, [](float v) { return !std::isfinite(v); });
  if (bad != values->end()) {
    return header_error(model, line.number,
                        text("number ", bad - values->begin(), " is ", *bad, ", want a finite one"));
  }
  return Constant(std::move(values));
}

class ConstantReader {
 public:
  ConstantReader(std::string_view blob, std::string_view model) : blob_(blob), model_(model) {}

  Status read(const HeaderLine& line) {
    const std::size_t begin = (end_ + kAlign - 1) / kAlign * kAlign;
    if (line.fields.size() != 4 || word(line, "type") != "f32") {
      return header_error(model_, line.number, "want 'constant index=I type=f32 offset=N count=N'");
    }
    if (number(line, "index") != constants_.size() || number(line, "offset") != begin) {
      return header_error(model_, line.number,
                          text("the next constant is index=", constants_.size(), " at offset=", begin));
    }
    auto constant = read_constant(line, blob_.substr(std::min(begin, blob_.size())), model_);
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
  std::string_view blob_, model_;
  std::size_t end_ = 0;
  Constants constants_;
};

}  // namespace

Result<Constants> read_constants(const Header& header, std::string_view model) {
  const auto is_blob = [](const HeaderLine& line) { return line.word == "blob"; };
  if (std::ranges::count_if(header.lines, is_blob) != 1) {
    return Error{Code::corrupt, text("model ", quoted(model), ": want one line 'blob'")};
  }
  TESSERA_TRY(check_blob(*std::ranges::find_if(header.lines, is_blob), header.blob, model));
  ConstantReader reader(header.blob, model);
  for (const HeaderLine& line : header.lines) {
    if (line.word == "constant") TESSERA_TRY(reader.read(line));
  }
  return reader.finish();
}

}  // namespace tessera::native
