#pragma once
// How many photos are handed to the detector at once. A device with a cost per call wants large chunks; the first chunk
// delays everything behind it and the last one everything before it, so those at the ends are smaller (8, 16, ..., 8).

#include <cstddef>
#include <optional>

namespace tessera {

struct ChunkOptions {
  std::size_t passes = 1;             ///< of the network per chunk, >= 1
  std::size_t end_passes = 1;         ///< of the first chunk, and of the last when `photos` is known; 1..passes
  std::optional<std::size_t> photos;  ///< of the whole run, unreadable ones included
};

/// The chunks of one run, in order.
class Chunks {
 public:
  Chunks(const ChunkOptions& options, std::size_t photos_per_pass) : options_(options), per_pass_(photos_per_pass) {}

  /// Photos of the next chunk when `taken` photos of the run are behind it: at least one pass, at most
  /// largest().
  std::size_t next(std::size_t taken) noexcept;
  std::size_t largest() const noexcept { return options_.passes * per_pass_; }

 private:
  ChunkOptions options_;
  std::size_t per_pass_;
  bool first_ = true;
};

}  // namespace tessera
