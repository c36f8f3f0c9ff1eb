#pragma once
// f32 convolution, NHWC with pixel strides, any kernel, stride, dilation, padding and number of groups.
//
//   acc[n][y][x][o] = bias[o] + sum over (ky, kx, i) of src[n][y*sh - pt + ky*dh][x*sw - pl + kx*dw][i] *
//   w[o][i][ky][kx] dst = post_act(act(acc) + residual)                  outside the image src is zero
//
// An implicit GEMM: rows are output pixels, columns output channels. No im2col matrix is built: a table of pointers
// says where each row's runs of input channels begin, and the micro-kernel walks them (Dukhan 2019, The Indirect
// Convolution Algorithm, arXiv:1907.02129). Rows of a few channels are copied into a panel with their zeros where they
// leave the image.
//
// Same input, same bits, whatever the number of threads or tasks. The variant can change them, and the batch: tiles are
// cut from all images' pixels together, and one of few accumulators sums in several parts (kernels/gemm/gemm.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/gemm/gemm.h"
#include "kernels/packed.h"

namespace tessera {

struct ConvShape {
  std::int64_t mb = 1, ih = 1, iw = 1, ic = 1, oh = 1, ow = 1, oc = 1;
  std::int64_t kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1;
  std::int64_t pt = 0, pl = 0;  ///< bottom and right follow from oh and ow
  std::int64_t groups = 1;      ///< divides ic and oc
};

/// Pixels are `stride` floats apart, channels adjacent, rows and images follow one another. Only channels [0, oc) of
/// dst are written. residual may be null or dst; src and dst do not overlap.
struct ConvOperands {
  const float* src = nullptr;
  std::int64_t src_stride = 0;
  float* dst = nullptr;
  std::int64_t dst_stride = 0;
  const float* residual = nullptr;
  std::int64_t residual_stride = 0;
  std::byte* scratch = nullptr;  ///< scratch_bytes(), 64-byte aligned, one per task running at a time
};

/// The obvious loops, in double; weights [oc][ic / groups][kh][kw], bias null or [oc].
void conv_reference(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                    const ConvOperands& operands);

struct RunTable;

/// A convolution with packed weights and its split into tasks decided. Immutable.
class Conv {
 public:
  struct Machine {
    std::int64_t l2_bytes = 1 << 20;
    int threads = 1;                 ///< how many tasks are useful; changes no bits
    PackedSource* source = nullptr;  ///< of packed weights, for the constructor only
  };
  Conv(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
       const MicroKernel& kernel, const Machine& machine);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(shape_.groups * blocks_ * splits_); }
  std::size_t scratch_bytes() const noexcept;
  /// Any order, any thread.
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  /// run_rows gives the bits of run, wherever the rows are cut.
  bool by_rows() const noexcept;
  /// Rows [from, to) of the outputs of one image, whose operands begin at its row 0.
  void run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept;

 private:
  struct Tile;
  /// Pixels in tiles of as equal height as possible: the first `higher` of them have a row more than `height`.
  struct Cut {
    std::int64_t tiles, height, higher;
    Cut(std::int64_t pixels, std::int64_t most);
  };
  bool same_sums(const Cut& cut) const noexcept;
  void run_tiles(const Cut& cut, Tile& tile, std::int64_t count, const ConvOperands& operands) const noexcept;
  PackedFloats pack_weights(const float* weights, PackedSource* source) const;
  void choose_split(const Machine& machine);
  void run_tile(const Tile& tile, const RunTable& table, const ConvOperands& operands) const noexcept;

  ConvShape shape_;
  std::optional<ConvShape> frame_;  // of the image in a frame of zeros, if it is copied into one (run_table.h)
  GemmEpilogue epilogue_;
  const MicroKernel* kernel_;
  std::int64_t k_ = 0;       // length of a sum: kh * kw * ic / groups
  std::int64_t pixels_ = 0;  // oh * ow, the rows of an image's GEMM
  Cut cut_;  // of them. Low tiles sum in another order: each image of a batch is cut as it would be alone
  std::int64_t tiles_ = 0;                                       // of all images
  std::int64_t panels_ = 0, panels_per_block_ = 0, blocks_ = 0;  // per group: a block of panels stays in L2
  std::int64_t group_floats_ = 0, last_vectors_ = 0;             // packed weights of a group; vectors of its last panel
  std::int64_t splits_ = 1;                                      // tasks per block, each a range of tiles
  PackedFloats weights_, bias_;                                  // [groups][panels], [groups][panels * width]
  PackedFloats zeros_;                                           // one pixel outside the image
};

}  // namespace tessera
