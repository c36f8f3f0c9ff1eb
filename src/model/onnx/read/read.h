#pragma once
// The bytes of an ONNX file as an IrGraph. They are hostile: every size is checked against what the file holds before
// memory is asked for, names are resolved, cycles found.

#include <tessera/result.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "model/onnx/ir.h"

namespace tessera::onnx {

inline constexpr std::int64_t kOldestOpset = 7, kNewestOpset = 21;

/// Whether the bytes look like an ONNX model: a protobuf message whose fields are a ModelProto's.
bool recognizes(std::span<const std::byte> model);

/// `name`: what errors call the file. `folder`: where tensors that the file keeps outside may lie; empty: they are
/// refused. `mapped`: `model` is a read-only mapping of a file, whose pages need not stay in memory.
/// Errors  corrupt: not the bytes of a model, or parts that contradict each other; unsupported: opsets outside 7..21,
///         functions, sparse tensors, strings as tensors; limit_exceeded; not_found, io: an external file.
Result<IrGraph> read(std::string_view name, std::span<const std::byte> model, const std::filesystem::path& folder,
                     bool mapped = false);

}  // namespace tessera::onnx
