#pragma once
// The native format: one file, a text header to read with `head`, then one blob of constants. docs/native-format.md is
// its specification.

#include <tessera/result.h>

#include <string>

#include "model/formats.h"

namespace tessera::native {

extern const Format kNative;

inline constexpr std::string_view kMagic = "tessera-model 1";  ///< the first line
inline constexpr std::size_t kAlign = 64;                      ///< of the blob in the file, and of each constant in it

}  // namespace tessera::native

namespace tessera {

/// The file's bytes; the same model gives the same bytes on every machine.
std::string native_bytes(const Model& model);
/// Writes them beside `path` first, then renames: a reader never sees half a model. Errors: io.
Status write_native(const Model& model, const std::string& path);

}  // namespace tessera
