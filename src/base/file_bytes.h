#pragma once
// A file's bytes, read-only and mapped: what of a large model is looked at is in memory once, as the system's copy.

#include <tessera/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tessera {

class FileBytes {
 public:
  /// not_found when there is no such file, io when it cannot be read or is no plain file, limit_exceeded above `limit`.
  static Result<FileBytes> open(const std::string& path, std::int64_t limit);

  std::span<const std::byte> bytes() const noexcept;
  /// Keeps `part` of bytes() mapped after this object is gone. With its last copy the part's pages leave this process's
  /// memory (whoever reads them again gets them from the file).
  std::shared_ptr<const void> hold(std::span<const std::byte> part) const;

 private:
  struct Mapping;
  explicit FileBytes(std::shared_ptr<const Mapping> mapping) : mapping_(std::move(mapping)) {}
  std::shared_ptr<const Mapping> mapping_;
};

/// Makes the pages of a mapping present in one go, huge ones where the file system has them: that takes a fifth of the
/// time of meeting each of them when it is read. Advice.
void bring_in(std::span<const std::byte> part) noexcept;
/// Lets whole pages inside a read-only mapping go.
void give_back(std::span<const std::byte> part) noexcept;

}  // namespace tessera
