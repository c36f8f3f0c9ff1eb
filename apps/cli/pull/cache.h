#pragma once
// Where pulled models lie: $XDG_CACHE_HOME/tessera/models/NAME/, by default ~/.cache/tessera/models/NAME/.

#include <tessera/result.h>

#include <filesystem>
#include <optional>
#include <string>

#include "pull/known_models.h"

namespace tessera::cli {

/// not_found when neither XDG_CACHE_HOME nor HOME says where.
Result<std::filesystem::path> cache_folder();
std::filesystem::path cached_file(const std::filesystem::path& cache, const KnownModel& model, const KnownFile& file);

struct PulledModel {
  std::string model, weights, names;  ///< paths; empty where the model has no such file
};
/// The files of a known model, when all are in the cache.
std::optional<PulledModel> find_pulled(const std::string& name);
/// Why find_pulled found none: "no such file; it is a known model: fetch it with `tessera pull yolov4`".
std::string why_not_pulled(const std::string& name);

}  // namespace tessera::cli
