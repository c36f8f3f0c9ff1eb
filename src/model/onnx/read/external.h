#pragma once
// Payloads of tensors that a model keeps in files beside it. The names come from the model, so they may lead nowhere
// but into its own folder.

#include <onnx/onnx_pb.h>
#include <tessera/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera::onnx {

/// The bytes that the tensor's external_data names.
Result<std::string> read_external(const ::onnx::TensorProto& proto, std::string_view what,
                                  const std::filesystem::path& folder);

}  // namespace tessera::onnx
