#pragma once
// The model inside the program, so that `tessera detect photo.jpg` works with nothing else at hand.

#include <tessera/detector.h>

#include <optional>
#include <string_view>

namespace tessera::cli {

/// nullopt when models/tessera-nano was not there at build time.
std::optional<ModelInMemory> embedded_model();
std::string_view embedded_model_name();  ///< "tessera-nano (embedded)"

}  // namespace tessera::cli
