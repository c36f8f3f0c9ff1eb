#pragma once
// The header's lines: "word key=value key=value ...", for nodes "node op key=value ...". Bytes are hostile.

#include <tessera/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::native {

struct HeaderField {
  std::string_view key, value;
};

struct HeaderLine {
  int number = 0;  ///< 1 for the first line of the file
  std::string_view word;
  std::vector<HeaderField> fields;

  const HeaderField* find(std::string_view key) const noexcept;
};

/// "model 'x.tessera': header line 12: <fact>", corrupt.
Error header_error(std::string_view model, int line, std::string_view fact);

inline constexpr std::size_t kMaxFields = 64;  ///< of one line; conv has 13

struct Header {
  std::vector<HeaderLine> lines;  ///< between the first line and the last; views into the file
  std::string_view blob;          ///< all bytes after the header and its padding
};

/// Cuts the file into lines and blob. Checks the magic, the header's checksum, the padding, the grammar of each line.
/// Errors   corrupt, with the line.
Result<Header> parse_header(std::string_view file, std::string_view model);

}  // namespace tessera::native
