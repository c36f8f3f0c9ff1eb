#pragma once
// The ONNX format: one file, weights inside or in files beside it.

#include "model/formats.h"

namespace tessera::onnx {

extern const Format kOnnx;

}  // namespace tessera::onnx
