#pragma once
// Convolutions of few channels, a line of outputs in one call.
//
// A tile of 12 pixels and a dozen products each takes no longer than to look up its sources, to call the micro-kernel
// and to cut the last vector. Where the inputs of a line lie at equal distances, which is so for 1x1 kernels and,
// inside the image, for kernels whose rows are one run of floats, the micro-kernel's strips take all of them at once.
// Outputs that touch the padding have their patches copied, a few of a line or of a column together. Small images are
// copied into a frame of zeros instead.
//
//   x: copied along the line   | : copied down the column     xxxxxxxxxxxx
//   = : a strip                                               |==========|
//                                                             |==========|
//
// Every sum is one chain in the order of the packed weights: an output's bits depend on no cut at all.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/conv/conv.h"
#include "kernels/conv/run_table.h"

namespace tessera {

/// A convolution of few channels with packed weights. Immutable.
class StripConv {
 public:
  /// Why it cannot take the shape ("only groups = 1"), or nullopt.
  static std::optional<std::string> rejects(const ConvShape& shape);
  /// Why `Conv` is expected to be faster ("few pixels"), or nullopt; for shapes that are not rejected.
  static std::optional<std::string> slower(const ConvShape& shape, const MicroKernel& kernel);
  /// `threads`: how many tasks are useful; changes no bits.
  StripConv(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
            const MicroKernel& kernel, int threads);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(tasks_); }
  std::size_t scratch_bytes() const noexcept { return static_cast<std::size_t>(scratch().bytes); }
  /// Any order, any thread.
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  static bool by_rows() noexcept { return true; }
  /// Rows [from, to) of the outputs of one image, whose operands begin at its row 0; the bits of run.
  void run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept;

 private:
  /// What the work is cut into: a row of outputs has so many lines, an image oh times as many.
  std::int64_t lines_per_row() const noexcept { return pointwise_ ? shape_.ow : 1; }
  /// Counted through all images.
  void run_lines(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept;
  void run_framed(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept;
  struct Range {
    std::int64_t from = 0, to = 0;
    bool has(std::int64_t i) const { return i >= from && i < to; }
  };
  /// Some output channels, at most a panel.
  struct Piece {
    std::int64_t channel = 0, columns = 0;
    PackedFloats weights{1}, bias{1};
    std::array<MicroKernel::Tile*, MicroKernel::kMaxRows> tiles{};
  };
  /// Where the parts begin: a tile of accumulators first, patches of a tile, the framed image.
  struct Scratch {
    std::int64_t patches = 0, frame = 0, bytes = 0;
  };
  struct Job;
  static constexpr std::int64_t kMostKernelRows = 16;
  Scratch scratch() const noexcept;
  void add_piece(std::int64_t columns, const float* weights, const float* bias);
  Job make_job(const ConvOperands& operands, const float* src, std::int64_t stride) const noexcept;
  void run_pixels(std::int64_t from, std::int64_t to, const Job& job) const noexcept;
  void run_blocks(std::int64_t from, std::int64_t to, const Job& job) const noexcept;
  void run_block(const Job& job, const PixelPlace& first, std::int64_t lines) const noexcept;
  void copied(const Job& job, PixelPlace place, std::int64_t count, bool down) const noexcept;
  void strip(const Job& job, std::int64_t first, std::int64_t pixels, std::int64_t step, GemmTile call) const noexcept;

  ConvShape shape_;
  std::optional<ConvShape> frame_;
  ConvShape source_;  // of what the strips read: the frame or the image
  GemmEpilogue epilogue_;
  const MicroKernel* kernel_;
  bool pointwise_;
  std::int64_t tasks_ = 1;
  Range inner_x_, inner_y_;  // outputs that see no padding of source_
  std::vector<Piece> pieces_;
};

}  // namespace tessera
