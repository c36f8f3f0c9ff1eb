#pragma once
// A Darknet weights file: three s32 (major, minor, revision), the number of images seen (u64, before version 0.2 u32),
// then f32 numbers, all little-endian, one run per layer in cfg order (ParameterSlot). Nothing in it says how many.

#include <tessera/result.h>

#include <cstddef>
#include <span>

#include "base/file_bytes.h"
#include "model/darknet/builder.h"

namespace tessera::darknet {

/// Hands the file's numbers to the blueprint's nodes as constants, which stay in `mapped`, the file that they lie in,
/// if there is one. Errors   corrupt when the length is not exactly what the cfg wants (with both byte counts and, when
/// it is too short,
///          the layer it ends in), when a number is not finite, or when a variance is negative;
///          unsupported for the transposed files of Darknet versions above 1000.
/// Log      a warning per layer with variances of 0 or below: dead channels, whose output depends on the epsilon.
Status fill_weights(const Cfg& cfg, std::span<const std::byte> file, const FileBytes* mapped, const LogSink& log,
                    Blueprint& blueprint);

/// Batch norm divides by sqrt(variance + epsilon). The programs of the Darknet family disagree: sqrt(variance) + 1e-6,
/// sqrt(variance + 1e-6), sqrt(variance + 1e-5). Inside the root is the form that survives the channels with a variance
/// of 1e-45 that published weights have; 1e-6 is what OpenCV takes. docs/darknet.md has the measured differences.
inline constexpr float kBatchNormEpsilon = 1e-6f;

}  // namespace tessera::darknet
