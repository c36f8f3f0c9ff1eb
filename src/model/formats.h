#pragma once
// The model formats, one entry each.

#include <span>
#include <string_view>

#include "model/load.h"

namespace tessera {

struct Format {
  const char* name;                                      ///< "darknet"
  const char* extension;                                 ///< ".cfg"
  const char* summary;                                   ///< one line for --help and errors
  bool needs_weights;                                    ///< a second file holds the constants
  bool (*recognizes)(std::span<const std::byte> model);  ///< by content; at most one format answers yes
  Result<Model> (*load)(const ModelBytes& bytes);        ///< names are added by the caller
};

/// Sorted by name.
std::span<const Format* const> formats();
/// The format of these bytes; unsupported lists what is known.
Result<const Format*> find_format(std::string_view name, std::span<const std::byte> model);

}  // namespace tessera
