#pragma once
// What `inspect --json` prints.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "device/device.h"
#include "model/describe.h"

namespace tessera::cli {

using Json = nlohmann::ordered_json;

Json model_json(const ModelFacts& facts);
Json plan_json(const Executable& executable);

/// ", 21.50 MiB of them mapped" where a cache of packed weights is in use, else "".
std::string mapped_text(const Executable& executable);

struct ReuseFacts {
  std::size_t reusing = 0;  ///< buffers that overlap, in the arena, one that died before
  std::size_t views = 0;    ///< values that share a buffer with another value
};
ReuseFacts reuse_facts(const MemoryPlan& plan);
/// The names of the values in a buffer, "conv_3, route_5[32..64)".
std::string values_in(const Executable& executable, std::int32_t buffer);
std::vector<std::string> node_names(const Executable& executable, const Chain& chain);

}  // namespace tessera::cli
