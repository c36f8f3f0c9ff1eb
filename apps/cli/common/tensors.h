#pragma once
// Raw tensors for the verbs that look inside: .npy files, photos and noise into inputs, outputs into arrays.

#include <tessera/result.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "device/node_impl.h"
#include "model/model.h"
#include "tensor/npy.h"

namespace tessera::cli {

/// --layout nchw|nhwc.
void add_layout_option(CLI::App& verb, FileLayout& layout);

/// Values in [0, 1), or any bytes, the same for the same seed on every machine.
void fill_with_noise(const TensorRef& input, std::uint64_t seed);
/// How the value of this name stands in a file: as the model's format has it (ONNX), else in the given layout.
AxisOrder file_order(const Model& model, const std::string& value, const TensorRef& tensor, FileLayout layout);
/// The file's array, with or without its leading 1s. invalid_argument when the shape differs, or a
/// number is no byte where the input is of u8.
Status fill_from_npy(const TensorRef& input, const std::filesystem::path& path, const AxisOrder& order);
/// A photo as the model's preprocessing wants it.
Status fill_from_photo(const TensorRef& input, const std::filesystem::path& path, const Preprocess& preprocess);

NpyArray to_array(const TensorRef& tensor, const AxisOrder& order);

}  // namespace tessera::cli
