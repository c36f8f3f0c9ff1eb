#include "embedded/embedded.h"

#include <cstddef>

#ifdef TESSERA_EMBEDDED_MODEL
// Laid into the read-only data by the assembler (model.S); each _end stands just after the last byte.
extern "C" {
extern const std::byte tessera_embedded_cfg[], tessera_embedded_cfg_end[];
extern const std::byte tessera_embedded_weights[], tessera_embedded_weights_end[];
extern const std::byte tessera_embedded_names[], tessera_embedded_names_end[];
}
#endif

namespace tessera::cli {

std::string_view embedded_model_name() { return "tessera-nano (embedded)"; }

std::optional<ModelInMemory> embedded_model() {
#ifdef TESSERA_EMBEDDED_MODEL
  return ModelInMemory{embedded_model_name(),
                       {tessera_embedded_cfg, tessera_embedded_cfg_end},
                       {tessera_embedded_weights, tessera_embedded_weights_end},
                       {tessera_embedded_names, tessera_embedded_names_end}};
#else
  return std::nullopt;
#endif
}

}  // namespace tessera::cli
