#pragma once
// Raw tensors for the verbs that look inside: .npy files, photos and noise into inputs, outputs into arrays.

#include <tessera/result.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>

#include "device/node_impl.h"
#include "model/model.h"
#include "tensor/npy.h"

namespace tessera::cli {

/// Order of a file's axes; in memory tensors are NHWC.
enum class TensorLayout { nchw, nhwc };
/// --layout nchw|nhwc.
void add_layout_option(CLI::App& verb, TensorLayout& layout);

/// Values in [0, 1), the same for the same seed on every machine.
void fill_with_noise(const TensorRef& input, std::uint64_t seed);
/// The file's array, rank 4 or without the leading 1, in the given order. invalid_argument when the shape differs.
Status fill_from_npy(const TensorRef& input, const std::filesystem::path& path, TensorLayout layout);
/// A photo as the model's preprocessing wants it.
Status fill_from_photo(const TensorRef& input, const std::filesystem::path& path, const Preprocess& preprocess);

NpyArray to_array(const TensorRef& tensor, TensorLayout layout);

}  // namespace tessera::cli
