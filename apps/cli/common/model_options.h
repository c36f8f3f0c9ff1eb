#pragma once
// The options that name a model and say how it is to run, shared by the verbs.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "common/io.h"

namespace tessera::cli {

struct ModelOptions {
  std::string model;  ///< file, pulled name, or empty: the embedded model
  std::string weights, names;
  std::string family, heads;  ///< of an ONNX model
  std::string size;           ///< "", "416", "640x384"
  std::string pixels = "f32";
  std::string device = "cpu", isa;
  int threads = 0;
  bool exact = false;
  std::string choose = "model", choices, save_choices, weights_cache;
  std::vector<std::string> disabled;
  std::vector<std::string> kernels;   ///< "conv=naive"
  std::vector<std::string> replaced;  ///< "mish=hard_mish"
};

/// --weights --names --size --pixels, and --model or a positional MODEL.
void add_model_options(CLI::App& verb, ModelOptions& options, bool positional);
/// --device --isa --exact --choose --choices --save-choices --weights-cache --disable --kernel --replace, and without a
/// prefix --threads; the prefix comes after the dashes.
void add_run_options(CLI::App& verb, ModelOptions& options, const std::string& prefix = "",
                     const std::string& group = "How it runs");
/// Writes the words of add_run_options into `out`.
void apply_run_options(const ModelOptions& options, DetectorOptions& out);

/// The library's options for these words: paths of a pulled model, bytes of the embedded one.
/// Errors  not_found: neither a file nor a pulled model, or no embedded model in this build.
Result<DetectorOptions> detector_options(const ModelOptions& options, Io& io);
/// What messages call the model: its file, its name, or the embedded model's name.
std::string model_label(const ModelOptions& options);

/// For CLI11: an error text, or "".
std::string check_size(const std::string& text);
std::string check_kernel(const std::string& text);
std::string check_isa(const std::string& text);
std::string check_device(const std::string& text);

struct Size {
  int width = 0, height = 0;
};
/// "416" is 416x416, "640x384" is width x height; checked before.
Size parse_size(const std::string& text);

}  // namespace tessera::cli
