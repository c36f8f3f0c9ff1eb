#pragma once
// A file of one layer's packed weights: a page that says what they are, then the floats.
//
//   tessera-packed 1 conv_gemm_avx512 layout 1,512,256,9,64,16 floats 1179648 weights 5f3c...        the label
//   data 04ab...                                                                                     their hash
//   zeros up to kPackedHeader, then the floats
//
// The label has all that decides the floats, the hash of the model's weights included, and names the file. So a file
// is never out of date, and nothing that stands in one is believed: a reader knows every byte before the floats that
// it hopes for, and compares.

#include <tessera/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "kernels/packed.h"

namespace tessera {

inline constexpr std::size_t kPackedHeader = 4096;  ///< so that the floats begin a page

/// Reads all of the recipe's weights. `impl` is at most 255 letters.
std::string packed_label(std::string_view impl, const PackedRecipe& recipe);
/// "3f0c5b...d1.packed"
std::string packed_name(std::string_view label);
/// kPackedHeader bytes.
std::string packed_header(std::string_view label, std::span<const float> floats);

/// The floats in a file's bytes, which are aligned like floats. Errors  corrupt: fact and wish.
Result<std::span<const float>> read_packed(std::span<const std::byte> file, std::string_view label, std::int64_t count);

/// Makes the file, and the directory when it is not there (not its parents). A reader sees all of it or nothing; of
/// several writers the last one stays. Errors  io, with the path.
Status write_packed(const std::string& directory, std::string_view label, std::span<const float> floats);

}  // namespace tessera
