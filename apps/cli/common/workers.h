#pragma once
// How the processors are shared between passes beside each other and threads inside a pass.

#include <tessera/detector.h>

#include <cstddef>
#include <optional>

namespace tessera::cli {

/// How many passes are computed at once; sets options.threads, the threads of each, where it is 0. `wanted` 0: many
/// photos get whole passes beside each other, which needs no waiting inside a pass; one pass gets all threads.
int share_processors(int wanted, std::optional<std::size_t> photos, DetectorOptions& options);

}  // namespace tessera::cli
