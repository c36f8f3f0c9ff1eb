#pragma once
// 3 x 3 f32 convolution by Winograd's algorithm (products for 16 outputs; directly they are 144): F(4x4, 3x3) takes 36,
// F(2x2, 3x3) 64, the polyphase form for stride 2 takes 81. See scheme.h.
//
//   Y = A^T [ (G g G^T) * (B^T d B) ] A      per tile of inputs, summed over input channels inside the brackets
//
// Per block of tiles: inputs transformed into V[block of channels][element][tile][16], then per panel of output
// channels a small GEMM per class of elements into M[element][tile][width], then M transformed, finished by the
// epilogue and stored. V and M stay in L2. Transformed weights take up to four times the bytes of the kernels: where
// they would not stay in L2, the kernels are kept as they are and every run transforms some input channels' weights at
// a time. That costs less than to fetch so many more bytes, and saves the memory. Few tiles use these weights in layers
// of many channels, so the transform must not cost more than its arithmetic: one row of classes of 16 channels is made
// and used at once; it and the row's sums stay in L1.
//
// Shapes, operands and the formula are those of kernels/conv/conv.h; errors are larger: the transforms multiply
// magnitudes by up to 100 and divide them again (winograd_test.cc computes the bound). NaN and infinity reach all
// outputs of the tiles that see them. Same input, same bits, whatever the number of tasks.
// Source: Lavin and Gray 2015, Fast Algorithms for Convolutional Neural Networks (arXiv:1509.09308), section 4.3.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/conv/conv.h"
#include "kernels/winograd/scheme.h"

namespace tessera {

/// One tile of outputs for one panel of output channels.
struct WinogradOutput {
  const float* m = nullptr;  ///< element e at m + e * element_stride, `width` floats
  std::int64_t element_stride = 0, width = 0;
  const float* start = nullptr;       ///< [width]: the bias
  std::int64_t rows = 0, across = 0;  ///< outputs inside the image
  float* dst = nullptr;
  std::int64_t dst_row = 0, dst_stride = 0;  ///< floats from row to row, and from pixel to pixel
  std::int64_t columns = 0;
  const float* residual = nullptr;
  std::int64_t residual_row = 0, residual_stride = 0;
  const GemmEpilogue* epilogue = nullptr;
  float* scratch = nullptr;  ///< [out * out][width]
};

/// Channels whose transformed inputs lie together: a line of the cache.
inline constexpr std::int64_t kWinogradBlock = 16;

/// One tile of a class's product: m[r][j] (+)= sum over k of v[r][k] * u[k][j].
struct WinogradProduct {
  const float* v = nullptr;  ///< [channels / block][rows][block], blocks v_step floats apart
  std::int64_t v_step = 0;
  const float* u = nullptr;  ///< [channels][width], 64-byte aligned
  std::int64_t channels = 0;
  float* m = nullptr;  ///< [rows][width]
  bool adds = false;   ///< to what m holds
};
struct WinogradProducts {
  static constexpr int kMaxRows = 14, kMaxVectors = 4;
  using Tile = void(const WinogradProduct&);
  int rows;                            ///< the largest tile; its vectors are those of the instruction set's MicroKernel
  Tile* tiles[kMaxRows][kMaxVectors];  ///< [rows - 1][vectors - 1]
};

struct WinogradTransforms {
  const WinogradScheme* scheme;
  const WinogradProducts* products;
  /// B^T d B: pixels[in * in] point to `channels` floats each; channel c of element e goes to dst + e * element_stride
  /// + c / block * block_stride + c % block.
  void (*input)(const float* const* pixels, std::int64_t channels, float* dst, std::int64_t element_stride,
                std::int64_t block_stride);
  /// Row `row` of the classes of G g G^T: kernels g [count][3][3][width]; class x of kernel i goes to dst + x *
  /// class_stride + i * width.
  void (*weights)(std::int64_t row, const float* g, std::int64_t count, std::int64_t width, float* dst,
                  std::int64_t class_stride);
  /// A^T M A, the epilogue and the store.
  void (*output)(const WinogradOutput&);
};
struct WinogradIsa {
  WinogradTransforms f4, f2, f4_stride2;
};
/// In the order of gemm_variants(), with the same names.
std::span<const Variant<const WinogradIsa>> winograd_variants();

/// A Winograd convolution with packed weights. Immutable.
class Winograd {
 public:
  /// Why it cannot take a shape: "only 3x3 stride 1".
  static std::optional<std::string> rejects(const ConvShape& shape, const WinogradScheme& scheme);
  /// Why it should not take a shape that it can: "would take 130 % of the direct sum's time". Of one image of a batch:
  /// a batch gets the kernel, and thus the bits, of its images alone.
  static std::optional<std::string> slower(const ConvShape& shape, const WinogradScheme& scheme,
                                           const MicroKernel& kernel, std::int64_t l2_bytes);

  /// kernel and transforms are of one instruction set; rejects(shape) has nothing.
  Winograd(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
           const MicroKernel& kernel, const WinogradTransforms& transforms, const Conv::Machine& machine);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(blocks_ * splits_); }
  std::size_t scratch_bytes() const noexcept;
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept { return 4 * (weights_.size() + bias_.size()); }

 private:
  /// The rows of a class's product are cut into tiles; the first `higher` of them have one row more.
  struct Cut {
    std::int64_t parts = 0, rows = 0, higher = 0;
  };
  /// One block of tiles and where its parts lie in the scratch.
  struct Block {
    std::int64_t first, tiles;  // tile numbers, through all images
    float *v, *m, *u, *out;
    std::array<Cut, WinogradScheme::kMaxClasses> cuts;
  };
  /// One panel of output channels.
  struct Panel {
    std::int64_t channel, columns, width;  // width: columns rounded up to vectors
    const float* weights;
  };
  /// What is multiplied at a time: a row of classes over some input channels.
  struct Piece {
    std::int64_t row, first, count;
  };
  struct Lines;
  void choose_pieces();
  void choose_tasks(const Conv::Machine& machine);
  PackedFloats pack_weights(const float* weights, PackedSource* source) const;
  void store_transformed(const float* weights, float* dst) const;
  Block make_block(std::int64_t block, const ConvOperands& operands) const noexcept;
  Panel make_panel(std::int64_t panel) const noexcept;
  void transform_inputs(const Block& block, const ConvOperands& operands) const noexcept;
  void multiply_panel(const Block& block, const Panel& panel) const noexcept;
  void multiply_piece(const Block& block, const Panel& panel, const Piece& piece) const noexcept;
  void multiply_class(const Cut& cut, std::int64_t width, WinogradProduct& call, Lines& ahead) const noexcept;
  Lines lines_ahead(const Block& block, const Panel& panel, const Piece& piece) const noexcept;
  void transform_outputs(const Block& block, const Panel& panel, const ConvOperands& operands) const noexcept;

  ConvShape shape_;
  GemmEpilogue epilogue_;
  const MicroKernel* kernel_;
  const WinogradTransforms* transforms_;
  std::int64_t across_, down_, tiles_;  // of one image: each image of a batch is cut as it would be alone (conv.h)
  std::int64_t panels_;
  bool stored_;                // weights_ are transformed: [panel][class][ic][width]; else [panel][ic][3][3][width]
  std::int64_t chunk_ = 1;     // input channels whose kernels stay in L2 while all rows of classes are made of them
  std::int64_t piece_ = 1;     // input channels multiplied at a time, see choose_pieces
  std::int64_t u_stride_ = 0;  // floats from class to class of weights that are transformed when run
  std::int64_t blocks_per_image_ = 1, blocks_ = 1, block_tiles_ = 1;  // blocks of at most block_tiles_ tiles
  std::int64_t splits_ = 1;                                           // tasks per block, each a range of panels
  PackedFloats weights_, bias_, zeros_;                               // bias [panels * width]; zeros for the padding
};

}  // namespace tessera
