// Any bytes as a native file. The fuzzer cannot guess checksums, so the lines are also tried with theirs made right.
// What is accepted must survive writing and reading.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "model/load.h"
#include "model/native/crc32.h"
#include "model/native/native.h"

namespace {

using namespace tessera;

Result<Model> load(std::string_view file) {
  return load_model(ModelBytes{.name = "fuzz.tessera",
                               .model = std::as_bytes(std::span(file)),
                               .weights = {},
                               .names = {},
                               .size = {},
                               .log = {}});
}

std::string crc(std::string_view bytes) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%08x", native::crc32(std::as_bytes(std::span(bytes))));
  return digits;
}

/// The input's lines as a header before a blob of zeros, with right checksums and padding.
std::string wrapped(std::string_view lines) {
  const std::string blob(256, '\0');
  std::string out = std::string(native::kMagic) + "\n" + std::string(lines);
  if (out.back() != '\n') out += '\n';
  out += "blob bytes=256 crc32=" + crc(blob) + "\n";
  out += "end crc32=" + crc(out) + "\n";
  out.resize((out.size() + 63) / 64 * 64, '\n');
  return out + blob;
}

void round_trip(const Model& model) {
  const std::string file = native_bytes(model);
  const auto again = load(file);
  if (!again || native_bytes(*again) != file) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto model = load(input)) round_trip(*model);
  if (const auto model = load(wrapped(input))) round_trip(*model);
  return 0;
}
