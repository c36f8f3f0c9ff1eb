// Any bytes as a file of packed weights. The fuzzer cannot guess hashes, so the bytes also stand as the floats of a
// file that is right, which is read, and of the same with one bit wrong, which is not.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "device/packed_file.h"

namespace {

using namespace tessera;

const std::string& label() {
  static const float weights[] = {1, 2, 3};
  static const std::string text =
      packed_label("conv_gemm_scalar", {.weights = weights, .layout = {1, 2, 3}, .count = 9});
  return text;
}

/// Aligned, as a mapping is.
struct File {
  std::vector<float> memory;
  std::size_t size;
  explicit File(std::size_t bytes) : memory(bytes / sizeof(float) + 1), size(bytes) {}
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory)).first(size); }
};

void any_bytes(std::span<const std::byte> input) {
  File file(input.size());
  if (!input.empty()) std::memcpy(file.bytes().data(), input.data(), input.size());
  const std::size_t floats = input.size() > kPackedHeader ? (input.size() - kPackedHeader) / sizeof(float) : 0;
  const auto read = read_packed(file.bytes(), label(), static_cast<std::int64_t>(floats));
  if (read && read->size() != floats) std::abort();
}

void as_floats(std::span<const std::byte> input) {
  const std::size_t count = input.size() / sizeof(float);
  std::vector<float> floats(count);
  if (count > 0) std::memcpy(floats.data(), input.data(), count * sizeof(float));
  const std::string header = packed_header(label(), floats);
  File file(kPackedHeader + count * sizeof(float));
  std::memcpy(file.bytes().data(), header.data(), header.size());
  if (count > 0) std::memcpy(file.bytes().data() + kPackedHeader, floats.data(), count * sizeof(float));
  const auto n = static_cast<std::int64_t>(count);
  const auto good = read_packed(file.bytes(), label(), n);
  if (!good || good->size() != count) std::abort();
  if (read_packed(file.bytes(), label(), n + 1)) std::abort();
  const std::size_t at = input.empty() ? 0 : static_cast<std::size_t>(input.back()) * 17 % file.size;
  file.bytes()[at] ^= std::byte{1};
  if (read_packed(file.bytes(), label(), n)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  any_bytes(input);
  as_floats(input);
  return 0;
}
