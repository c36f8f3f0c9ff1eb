#pragma once
// The little of NumPy's file format that the dump scripts write: version 1.0, '<f4', C order, three axes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace example {

struct Npy {
  std::array<std::int64_t, 3> shape{};  ///< H, W, C
  std::vector<float> values;
};

/// The tensor in `path`, or nothing when the file is not such a one.
inline std::optional<Npy> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 10 || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) return std::nullopt;
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t start = 10 + byte(8) + 256 * byte(9);
  if (start > bytes.size()) return std::nullopt;
  const std::string header = bytes.substr(10, start - 10);
  const std::size_t open = header.find("'shape': (");
  if (header.find("'<f4'") == std::string::npos || header.find("False") == std::string::npos ||
      open == std::string::npos) {
    return std::nullopt;
  }
  Npy out;
  long long extents[3] = {};
  if (std::sscanf(header.c_str() + open, "'shape': (%lld, %lld, %lld)", &extents[0], &extents[1], &extents[2]) != 3) {
    return std::nullopt;
  }
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (extents[axis] < 1 || extents[axis] > 1 << 20) return std::nullopt;
    out.shape[axis] = extents[axis];
    count *= static_cast<std::size_t>(extents[axis]);
  }
  if (bytes.size() - start != count * sizeof(float)) return std::nullopt;
  out.values.resize(count);
  std::memcpy(out.values.data(), bytes.data() + start, count * sizeof(float));
  return out;
}

}  // namespace example
