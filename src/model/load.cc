#include "model/load.h"

#include <filesystem>

#include "base/file_bytes.h"
#include "base/text.h"
#include "model/class_names.h"
#include "model/facts.h"
#include "model/formats.h"

namespace tessera {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Status set_names(std::span<const std::byte> bytes, Model& model) {
  if (bytes.empty()) return {};
  auto names = parse_class_names(as_text(bytes), model.name);
  if (!names) return names.error();
  model.class_names = std::move(*names);
  return {};
}

std::string weights_path(const LoadOptions& options) {
  if (!options.weights.empty()) return options.weights;
  return std::filesystem::path(options.model).replace_extension(".weights").string();
}

/// An optional file: an empty path gives empty bytes, an empty file is an error (it cannot be meant).
Result<FileBytes> open_present(const std::string& path, std::int64_t limit) {
  auto file = FileBytes::open(path, limit);
  if (file && file->bytes().empty()) return Error{Code::corrupt, text("file '", path, "': empty")};
  return file;
}

}  // namespace

Result<Model> load_model(const ModelBytes& bytes) {
  const auto format = find_format(bytes.name, bytes.model);
  if (!format) return format.error();
  auto model = (*format)->load(bytes);
  if (!model) return model;
  TESSERA_TRY(infer_shapes(model->graph));
  TESSERA_TRY(verify(model->graph));
  TESSERA_TRY(set_names(bytes.names, *model));
  TESSERA_TRY(check_facts(*model));
  return model;
}

Result<Model> load_model(const LoadOptions& options) {
  const auto model = open_present(options.model, kMaxWeightBytes);
  if (!model) return model.error();
  ModelBytes bytes{.name = std::filesystem::path(options.model).filename().string(),
                   .model = model->bytes(),
                   .weights = {},
                   .names = {},
                   .size = options.size,
                   .log = options.log,
                   .batch = options.batch,
                   .detector = options.detector,
                   .folder = std::filesystem::absolute(options.model).parent_path().string()};
  const auto format = find_format(bytes.name, bytes.model);
  if (!format) return format.error();

  std::optional<FileBytes> weights, names;  // open until the model is made
  bytes.file = &*model;
  if ((*format)->needs_weights) {
    auto file = open_present(weights_path(options), kMaxWeightBytes);
    if (!file) return file.error();
    bytes.weights = weights.emplace(std::move(*file)).bytes();
    bytes.file = &*weights;
  } else if (!options.weights.empty()) {
    return Error{Code::invalid_argument, text("model '", options.model, "': a ", (*format)->name,
                                              " model holds its weights; drop '", options.weights, "'")};
  }
  if (!options.names.empty()) {
    auto file = open_present(options.names, kMaxTextBytes);
    if (!file) return file.error();
    bytes.names = names.emplace(std::move(*file)).bytes();
  }
  return load_model(bytes);
}

}  // namespace tessera
