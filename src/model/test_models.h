#pragma once
// Small models for the tests of this folder.

#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "model/load.h"

namespace tessera {

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

/// A weights file of version 0.2 with these numbers.
inline std::string darknet_weights(std::span<const float> numbers) {
  const std::int32_t version[3] = {0, 2, 5};
  const std::int64_t seen = 32013312;
  std::string out(20 + numbers.size_bytes(), '\0');
  std::memcpy(out.data(), version, 12);
  std::memcpy(out.data() + 12, &seen, 8);
  if (!numbers.empty()) std::memcpy(out.data() + 20, numbers.data(), numbers.size_bytes());
  return out;
}

/// 1, 2, 3, ...: every number tells its place in the file.
inline std::vector<float> counting(std::size_t count) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i + 1);
  return out;
}

/// Loads a cfg with counting weights of the given length.
inline Result<Model> load_cfg(std::string_view cfg, std::size_t numbers, std::string_view names = {},
                              std::optional<InputSize> size = {}) {
  const std::string weights = darknet_weights(counting(numbers));
  return load_model(ModelBytes{.name = "t.cfg",
                               .model = as_bytes(cfg),
                               .weights = as_bytes(weights),
                               .names = as_bytes(names),
                               .size = size,
                               .log = {}});
}

/// The message of a load that must fail.
inline std::string load_error(std::string_view cfg, std::size_t numbers = 0, std::string_view names = {}) {
  const auto model = load_cfg(cfg, numbers, names);
  return model ? "no error" : model.error().message;
}

}  // namespace tessera
