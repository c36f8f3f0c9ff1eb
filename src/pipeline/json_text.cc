#include "pipeline/json_text.h"

#include <nlohmann/json.hpp>

namespace tessera {

std::string json_string(std::string_view bytes) {
  return nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tessera
