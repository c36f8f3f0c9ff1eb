#pragma once
// An ONNX graph lowered and run on a device, tensors in the file's own axes in and out.

#include <string>
#include <vector>

#include "device/device.h"
#include "model/onnx/ir.h"
#include "model/onnx/lower/lower.h"

namespace tessera::testing {

/// "reference", the cpu as the machine offers it, and the cpu without SIMD.
std::vector<PrepareOptions> devices_to_test();
std::string name_of(const PrepareOptions& device);

/// One run; `inputs` in the order of the graph's. Reals.
Result<std::vector<onnx::Tensor>> run_lowered(const onnx::Lowered& lowered, const std::vector<onnx::Tensor>& inputs,
                                              const PrepareOptions& device);

}  // namespace tessera::testing
