#include "device/packed_file.h"

#include <algorithm>

#include "base/hash64.h"
#include "base/text.h"

namespace tessera {
namespace {

std::string hex(std::uint64_t v) {
  std::string out(16, '0');
  for (std::size_t i = 0; i < 16; ++i) out[i] = "0123456789abcdef"[v >> (60 - 4 * i) & 15];
  return out;
}

std::uint64_t hash_of(std::span<const float> floats) { return hash64(std::as_bytes(floats)); }

}  // namespace

std::string packed_label(std::string_view impl, const PackedRecipe& recipe) {
  std::string layout;
  for (const std::int64_t number : recipe.layout) layout += text(layout.empty() ? "" : ",", number);
  return text("tessera-packed ", kPackedVersion, " ", impl, " layout ", layout, " floats ", recipe.count, " weights ",
              hex(hash_of(recipe.weights)), "\n");
}

std::string packed_name(std::string_view label) {
  return text(hex(hash64(std::as_bytes(std::span(label)))), ".packed");
}

std::string packed_header(std::string_view label, std::span<const float> floats) {
  std::string header = text(label, "data ", hex(hash_of(floats)), "\n");
  header.resize(kPackedHeader, '\0');
  return header;
}

Result<std::span<const float>> read_packed(std::span<const std::byte> file, std::string_view label,
                                           std::int64_t count) {
  const std::size_t floats = static_cast<std::size_t>(count), want = kPackedHeader + floats * sizeof(float);
  if (file.size() != want) return Error{Code::corrupt, text("has ", file.size(), " bytes, want ", want)};
  const std::string_view header(reinterpret_cast<const char*>(file.data()), kPackedHeader);
  if (!header.starts_with(label)) {
    return Error{Code::corrupt,
                 text("is of other weights than its name says, want ", label.substr(0, label.size() - 1))};
  }
  const std::span found(reinterpret_cast<const float*>(file.data() + kPackedHeader), floats);
  if (header == packed_header(label, found)) return found;
  return Error{Code::corrupt, "is damaged: header and numbers do not belong together, want them as they were written"};
}

}  // namespace tessera
