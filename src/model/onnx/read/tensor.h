#pragma once
// A TensorProto as numbers, the sizes checked against its payload first.

#include <onnx/onnx_pb.h>
#include <tessera/result.h>

#include <filesystem>
#include <string_view>

#include "model/onnx/ir.h"

namespace tessera::onnx {

/// `what` names the tensor in errors: "initializer 'w'". Bytes that are f32 numbers already are taken out of the proto,
/// not copied.
Result<Tensor> read_tensor(::onnx::TensorProto& proto, std::string_view what, const std::filesystem::path& folder);

/// Integer, boolean or real; unsupported for strings, complex numbers and what this version does not know.
Result<Kind> kind_of(std::int32_t element_type, std::string_view what);

}  // namespace tessera::onnx
