#pragma once
// NumPy .npy files (format versions 1.0 to 3.0): little-endian f32, C order. Bytes are hostile.

#include <tessera/result.h>
#include <tessera/tensor.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace tessera {

struct NpyArray {
  Shape shape;  ///< rank 0 (a scalar) to 6
  std::vector<float> data;
};

/// Parses a whole file. Also takes f8, i4, i8 and u1 elements, converted to f32. Errors: corrupt (not npy, lengths that
/// do not fit), unsupported (Fortran order, big endian, other element types), limit_exceeded (rank above 6).
Result<NpyArray> parse_npy(std::span<const std::byte> bytes);
Result<NpyArray> read_npy(const std::filesystem::path& path);
/// Writes version 1.0, f32, C order; data.size() must be the shape's element count.
Status write_npy(const std::filesystem::path& path, const Shape& shape, std::span<const float> data);

}  // namespace tessera
