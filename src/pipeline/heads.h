#pragma once
// Raw heads in, detections out: BoxDecode bound to the outputs of one execution context.

#include <tessera/boxdecode.h>
#include <tessera/detector.h>
#include <tessera/result.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "device/device.h"

namespace tessera {

/// How a raw head lies in memory.
struct HeadMemory {
  TensorRef tensor;
  bool is_slice = false;  ///< its first channel is not its buffer's: decoded from a copy, for BoxDecode may read a
                          ///< pixel's whole stride
};
std::vector<HeadMemory> heads_in_memory(const Executable& executable, const ExecutionContext& context);

Result<boxdecode::Plan> plan_heads(std::span<const HeadMemory> heads, const boxdecode::Params& params);

/// Owns workspace and outputs of one plan. One call at a time; allocates only when `out` must grow.
class HeadDecoder {
 public:
  static Result<HeadDecoder> create(const boxdecode::Plan& plan, std::span<const HeadMemory> heads, int max_detections);
  /// `context` has just run; the photos, one per tile, had these sizes. out: as many as photos, at most one per tile.
  Status decode(const ExecutionContext& context, std::span<const boxdecode::ImageSize> photos,
                std::span<std::vector<Detection>> out);

 private:
  struct Workspace {
    std::vector<std::byte> bytes;
    std::span<std::byte> aligned;
  };
  HeadDecoder(Workspace workspace, boxdecode::Context context)
      : workspace_(std::move(workspace)), context_(std::move(context)) {}
  void copy_slice(const TensorRef& head, std::size_t index) noexcept;
  void take(std::size_t image, std::vector<Detection>& out) const;

  Workspace workspace_;
  boxdecode::Context context_;
  std::vector<std::size_t> input_bytes_;
  std::vector<std::vector<float>> copies_;  // of slices, else empty
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<float> boxes_, scores_;
  std::vector<std::int32_t> classes_, counts_;
  std::vector<boxdecode::ImageSize> sizes_;  // one per tile
};

}  // namespace tessera
