#pragma once
// One decoding problem with its memory, for tests and fuzzing: build it, change it, run it through library and
// reference.

#include <tessera/boxdecode.h>

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "boxdecode/reference.h"

namespace tessera::boxdecode::testing {

struct Case {
  std::vector<TensorSpec> inputs, outputs;
  Params params;
  std::vector<std::vector<std::byte>> bytes;  ///< one per input
  std::vector<ImageSize> original_sizes;
  std::string scanner;

  Request request() const { return {inputs, outputs, params, scanner}; }
  std::vector<std::span<const std::byte>> views() const { return {bytes.begin(), bytes.end()}; }

  std::int64_t channels(std::size_t port) const { return inputs[port].shape[inputs[port].shape.rank() - 1]; }
  /// Byte offset of the (low byte of the) element, and from one of its bytes to the next.
  std::int64_t offset(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c) const;
  std::int64_t plane_distance(std::size_t port) const;
  /// Stores the low bytes of `word` there.
  void put_word(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, std::uint32_t word);
  std::uint32_t word(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c) const;
  /// Float32 and BFloat16 (truncated: use values it can hold).
  void put(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, float value);
  /// Outputs as params ask for them.
  void fit_outputs(DType boxes = DType::Int32);
  /// Bytes for every input, all `fill`; to be called once heads and inputs are set.
  void fit_bytes(std::byte fill = std::byte{0});
  std::int64_t required_bytes(std::size_t port) const;
  /// Takes over the logical elements of an input of the same spec, not what lies between them.
  void copy_elements(const Case& from, std::size_t port);
};

/// A dense input. pixel_channels 0: contiguous; otherwise Strided with that many physical channels and rows
/// that are row_gap elements longer than needed.
TensorSpec dense_input(DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t pixel_channels = 0,
                       std::int64_t row_gap = 0);

TensorSpec blocked_input(DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, MlaCBlocked tile);

/// Valid: YoloV4V1, 64x64, Float32, `classes` classes, T = 0.5, T_nms = 0.5, K = 8, original 128x64, all logits -20.
Case yolo_v4_case(std::int32_t classes = 2);
/// Valid: AnchorGridV1 with one Float32 head of h x w cells, stride 8, slots anchors (16, 8), (32, 16) ...
Case one_head_case(std::int64_t h, std::int64_t w, std::int32_t slots, std::int32_t classes);
/// Valid: one head of h x w cells, stride 8, box and score tensors dense Float32 (YoloXV1: and objectness). Sigmoid.
/// Ports: box 0, score 1, objectness 2. Distances and scores are -20 until put.
Case separate_case(Profile profile, std::int64_t h, std::int64_t w, std::int32_t classes,
                   std::int64_t box_channels = 4);

struct Outcome {
  std::vector<std::vector<std::byte>> outputs;
  ExecStats stats;
  bool operator==(const Outcome& other) const {
    return outputs == other.outputs && stats.candidates_seen == other.stats.candidates_seen &&
           stats.candidates_kept == other.stats.candidates_kept &&
           stats.candidate_limit_hit == other.stats.candidate_limit_hit;
  }
};

/// 64-byte aligned workspace.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes, std::byte fill = std::byte{0}) : storage_(bytes + 64, fill), bytes_(bytes) {}
  std::span<std::byte> span() {
    void* at = storage_.data();
    std::size_t space = storage_.size();
    return {static_cast<std::byte*>(std::align(64, bytes_, at, space)), bytes_};
  }

 private:
  std::vector<std::byte> storage_;
  std::size_t bytes_;
};

/// check_inference + execute with fresh memory of which every byte is `poison`.
Result<Outcome> run(const Case& c, std::byte poison = std::byte{0xA5});
Outcome run_reference(const Case& c);

/// Views of outputs.
std::vector<float> floats(const std::vector<std::byte>& bytes);
std::vector<std::int32_t> ints(const std::vector<std::byte>& bytes);
inline std::uint32_t bits_of(float v) { return std::bit_cast<std::uint32_t>(v); }
inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Says where two outcomes part: output, element, both words. Empty when equal.
std::string difference(const Outcome& library, const Outcome& reference);

}  // namespace tessera::boxdecode::testing
