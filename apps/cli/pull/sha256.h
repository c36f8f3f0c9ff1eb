#pragma once
// SHA-256 (FIPS 180-4), to check what was fetched. Own, because the program links no crypto library by itself.

#include <tessera/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tessera::cli {

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes) noexcept;
  /// 64 lower-case hexadecimal digits. Ends the object's use.
  std::string finish();

 private:
  void block(const std::byte* bytes) noexcept;

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  std::uint64_t length_ = 0;
};

/// io when the file cannot be read.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace tessera::cli
