#pragma once
// 3 x 3 stride 1 f32 convolution by Winograd's F(4 x 4, 3 x 3): 36 products instead of 144 for 16 outputs.
//
//   Y = A^T [ (G g G^T) * (B^T d B) ] A      per tile of 6 x 6 inputs, summed over input channels inside the brackets
//
// Per block of tiles: inputs transformed into V[36][tile][ic], then per panel of output channels 36 small GEMMs into
// M[36][tile][width], then M transformed, finished by the epilogue and stored. Everything stays in L2.
//
// Shapes, operands and the formula are those of kernels/conv/conv.h; errors are larger: the transforms multiply
// magnitudes by up to 100 and divide them again (winograd_test.cc computes the bound). NaN and infinity reach all
// outputs of the tiles that see them. Same input, same bits, whatever the number of tasks.
// Source: Lavin and Gray 2015, Fast Algorithms for Convolutional Neural Networks (arXiv:1509.09308), section 4.3.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/conv/conv.h"

namespace tessera {

inline constexpr std::int64_t kWinogradOut = 4, kWinogradIn = 6, kWinogradElements = kWinogradIn * kWinogradIn;

/// One tile of outputs for one panel of output channels.
struct WinogradOutput {
  const float* m = nullptr;  ///< element e at m + e * element_stride, `width` floats
  std::int64_t element_stride = 0, width = 0;
  const float* start = nullptr;       ///< [width]: the bias
  std::int64_t rows = 4, across = 4;  ///< outputs inside the image
  float* dst = nullptr;
  std::int64_t dst_row = 0, dst_stride = 0;  ///< floats from row to row, and from pixel to pixel
  std::int64_t columns = 0;
  const float* residual = nullptr;
  std::int64_t residual_row = 0, residual_stride = 0;
  const GemmEpilogue* epilogue = nullptr;
  float* scratch = nullptr;  ///< [16][width]
};

struct WinogradTransforms {
  int lanes;
  /// B^T d B: pixels[36] point to `channels` floats each; element e goes to dst + e * element_stride, rounded up to
  /// lanes.
  void (*input)(const float* const* pixels, std::int64_t channels, float* dst, std::int64_t element_stride);
  /// A^T M A, the epilogue and the store.
  void (*output)(const WinogradOutput&);
};
/// In the order of gemm_variants(), with the same names.
std::span<const Variant<const WinogradTransforms>> winograd_variants();

/// A Winograd convolution with transformed, packed weights. Immutable.
class Winograd {
 public:
  /// Why it cannot or should not take a shape: "only 3x3 stride 1", "few channels".
  static std::optional<std::string> rejects(const ConvShape& shape);

  /// kernel and transforms are of one instruction set. rejects(shape) may name a shape that is merely slow.
  Winograd(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
           const MicroKernel& kernel, const WinogradTransforms& transforms, const Conv::Machine& machine);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(blocks_ * splits_); }
  std::size_t scratch_bytes() const noexcept;
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept { return 4 * (weights_.size() + bias_.size()); }

 private:
  struct Block;
  Block make_block(std::int64_t block, const ConvOperands& operands) const noexcept;
  void transform_weights(const float* weights);
  void transform_inputs(const Block& block, const ConvOperands& operands) const noexcept;
  void multiply(const Block& block, std::int64_t panel) const noexcept;
  void transform_outputs(const Block& block, std::int64_t panel, const ConvOperands& operands) const noexcept;

  ConvShape shape_;
  GemmEpilogue epilogue_;
  const MicroKernel* kernel_;
  const WinogradTransforms* transforms_;
  std::int64_t across_, down_, tiles_;  // of one image: each image of a batch is cut as it would be alone (conv.h)
  std::int64_t blocks_per_image_, blocks_, block_tiles_;  // blocks of at most block_tiles_ tiles
  std::int64_t row_;                     // floats per tile and element of V: ic and room against cache conflicts
  std::int64_t panels_, splits_ = 1;     // tasks per block, each a range of panels
  PackedFloats weights_, bias_, zeros_;  // [panel][36][ic][width]; [panels * width]; zeros for padding and start values
};

}  // namespace tessera
