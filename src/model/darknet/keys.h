#pragma once
// Which keys a section may have. A key that is not in a table is an error: a misspelt one would silently become its
// default, and the network another one.

#include <tessera/result.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "model/darknet/section_reader.h"

namespace tessera::darknet {

enum class KeyUse : std::uint8_t {
  read,      ///< the builder reads it
  training,  ///< means nothing at inference
  only,      ///< changes inference in a way not supported, except with the value `value`
};

struct Key {
  std::string_view name;
  KeyUse use = KeyUse::read;
  std::string_view value = {};
};

/// Checks a section's keys against its kind's own table and the keys every layer may have.
/// Errors   invalid_argument for an unknown key, with the nearest known one; unsupported for a refused value.
Status check_keys(const SectionReader& reader, std::span<const Key> own);

std::span<const Key> layer_keys();  ///< may stand in every section but [net]; sorted
std::span<const Key> net_keys();    ///< sorted

}  // namespace tessera::darknet
