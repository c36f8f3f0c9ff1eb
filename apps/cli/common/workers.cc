#include "common/workers.h"

#include <algorithm>

#include "base/cpu_features.h"

namespace tessera::cli {

int share_processors(int wanted, std::optional<std::size_t> photos, DetectorOptions& options) {
  const int processors = allowed_cpus();
  if (wanted == 0 && photos.has_value() && *photos <= static_cast<std::size_t>(options.mosaic.tiles())) return 1;
  const int workers = wanted > 0 ? wanted : std::max(1, processors / std::max(1, options.threads));
  if (options.threads == 0) options.threads = std::max(1, processors / workers);
  return workers;
}

}  // namespace tessera::cli
