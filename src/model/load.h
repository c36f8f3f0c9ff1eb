#pragma once
// The door for models: untrusted files or bytes in, a checked Model out.

#include <tessera/result.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/log.h"
#include "model/model.h"

namespace tessera {

class FileBytes;

/// Network input in pixels, height first as in the tensor.
struct InputSize {
  int height = 0, width = 0;
};

/// ONNX only: what the user says of a file's detector.
struct DetectorWords {
  std::string family;        ///< "yolov8"; empty: found by structure
  std::string heads;         ///< "box:score,...", values by name, a level after the other; empty: found by structure
  bool whole_graph = false;  ///< look for none: the graph's own outputs, its tail included
};

struct LoadOptions {
  std::string model;              ///< path of the .cfg, .onnx or .tessera file; the format is told by its bytes
  std::string weights;            ///< Darknet only; empty: the .weights file beside the .cfg
  std::string names;              ///< class names, one a line; empty: none, or those stored in the model
  std::optional<InputSize> size;  ///< instead of the model's own input size
  LogSink log;
  int batch = 1;  ///< images per pass, where the file leaves that open (ONNX)
  DetectorWords detector;
};

/// The same, from memory (embedded models, tests, fuzzing). The spans must outlive the call only.
struct ModelBytes {
  std::string name;                    ///< what errors and Model::name call it, "yolov4-tiny"
  std::span<const std::byte> model;    ///< the cfg text, or the whole ONNX or native file
  std::span<const std::byte> weights;  ///< Darknet only
  std::span<const std::byte> names;    ///< empty: none
  std::optional<InputSize> size;
  LogSink log;
  int batch = 1;  ///< ONNX
  DetectorWords detector;
  std::string folder;  ///< where an ONNX model's outside weights may lie; empty: nowhere
  /// The file that holds the numbers (`weights` or `model` are its bytes): constants may stay there. Null: copied.
  const FileBytes* file = nullptr;
};

/// Reads, checks and returns a model: shapes inferred, graph verified, names matching the classes. Constants of a model
/// read from files may lie in the mapped file: it must not shrink while the model, or an Executable of the reference
/// device, is there (a file that is replaced by renaming does not).
/// Errors   not_found and io name the path; corrupt, invalid_argument and unsupported name section and line or node;
///          limit_exceeded for files and tensors beyond the limits below.
/// Threads  safe to call at once.
Result<Model> load_model(const LoadOptions& options);
Result<Model> load_model(const ModelBytes& bytes);

/// Changes the input size of a loaded model and infers the shapes anew.
/// Errors   invalid_argument says which multiple the network's strides want.
Status set_input_size(Model& model, InputSize size);

inline constexpr std::int64_t kMaxTextBytes = 16 << 20;  ///< cfg, names, header of a native file
inline constexpr std::int64_t kMaxWeightBytes = std::int64_t{8} << 30;
inline constexpr std::int64_t kMaxInputExtent = 16384;  ///< height and width of the network input
inline constexpr std::int64_t kMaxTensorElements = std::int64_t{1} << 31;

}  // namespace tessera
