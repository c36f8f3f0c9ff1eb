#pragma once
// A file's bytes, read-only: mapped, so that a large model is not held twice.

#include <tessera/result.h>

#include <cstddef>
#include <span>
#include <string>

namespace tessera {

class FileBytes {
 public:
  /// not_found when there is no such file, io when it cannot be read or is no plain file, limit_exceeded above `limit`.
  static Result<FileBytes> open(const std::string& path, std::int64_t limit);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  std::span<const std::byte> bytes() const noexcept { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  FileBytes(void* data, std::size_t size) : data_(data), size_(size) {}
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tessera
