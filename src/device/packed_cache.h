#pragma once
// PrepareOptions::weights_cache: packed weights of earlier programs, mapped instead of packed again. One file per
// layer, found by content (packed_file.h): models with a layer in common, or one model at several sizes, share it, and
// so do processes, whose mappings are the system's one copy.

#include <tessera/result.h>

#include <string>

#include "base/log.h"
#include "kernels/packed.h"

namespace tessera {

class PackedCache {
 public:
  /// `directory` empty: nothing is looked for, nothing written. `log` is warned of files that are not as they should
  /// be, which are replaced, and once of a directory that cannot be written.
  PackedCache(std::string directory, LogSink log) : directory_(std::move(directory)), log_(std::move(log)) {}

  PackedFloats get(std::string_view impl, const PackedRecipe& recipe, const PackedSource::Pack& pack);
  std::int64_t mapped_bytes() const noexcept { return mapped_bytes_; }  ///< of what was found

 private:
  Result<PackedFloats> find(const std::string& label, std::int64_t count) const;
  void keep(const std::string& label, const PackedFloats& floats);
  void warn(std::string_view line) const;

  std::string directory_;
  LogSink log_;
  bool writes_ = true;
  std::int64_t mapped_bytes_ = 0;
};

/// The cache as one implementation sees it.
class PackedFor final : public PackedSource {
 public:
  PackedFor(PackedCache& cache, std::string_view impl) : cache_(&cache), impl_(impl) {}
  PackedFloats get(const PackedRecipe& recipe, const Pack& pack) override { return cache_->get(impl_, recipe, pack); }

 private:
  PackedCache* cache_;
  std::string_view impl_;
};

}  // namespace tessera
