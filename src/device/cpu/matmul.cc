#include <algorithm>
#include <cstring>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/runs.h"
#include "device/reference/reference.h"
#include "kernels/gemm/gemm.h"

namespace tessera {
namespace {

constexpr std::int64_t kRowsPerTask = 256;  // of a: enough to forget the packing of b

std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }
std::int64_t ceil_div(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }

// One worker's memory: b's panel, zeros to start from, the micro-kernel's own, a tile of results and rows of a that lie
// apart. All parts are whole cache lines.
struct Scratch {
  float *panel, *zeros, *tile, *results, *rows;
};

// A task is some rows of one batch's a times one panel of its b, which it packs first.
class MatMulPanels final : public NodeImpl {
 public:
  MatMulPanels(const ImplContext& context, const MicroKernel& kernel)
      : attrs_(std::get<MatMulAttrs>(context.node->attrs)), kernel_(kernel), width_(kernel.panel_width()) {
    for (std::int64_t extent : attrs_.batch) batches_ *= extent;
    panels_ = ceil_div(attrs_.n, width_);
    row_blocks_ = ceil_div(attrs_.m, kRowsPerTask);
  }
  std::size_t tasks() const noexcept override { return static_cast<std::size_t>(batches_ * panels_ * row_blocks_); }
  std::size_t scratch_bytes() const noexcept override {
    return static_cast<std::size_t>(panel_floats() + round_up(width_, 16) + 2 * tile_floats() + row_floats()) *
           sizeof(float);
  }

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto index = static_cast<std::int64_t>(task);
    const std::int64_t first_row = index % row_blocks_ * kRowsPerTask, panel = index / row_blocks_ % panels_;
    const std::int64_t batch = index / row_blocks_ / panels_;
    const Scratch scratch = divide(args.scratch);
    std::fill_n(scratch.zeros, width_, 0.0f);
    const std::int64_t first = panel * width_, columns = std::min(width_, attrs_.n - first);
    pack(args.inputs[1], reference::at_place(batch, attrs_.batch, attrs_.b_strides, 0) + first, columns, scratch);
    const std::int64_t last_row = std::min(first_row + kRowsPerTask, attrs_.m);
    for (std::int64_t row = first_row; row < last_row; row += kernel_.rows) {
      multiply(args, scratch, {batch, row, std::min<std::int64_t>(kernel_.rows, last_row - row), first, columns});
    }
  }

 private:
  struct Tile {
    std::int64_t batch, row, rows, column, columns;
  };

  std::int64_t panel_floats() const { return round_up(attrs_.k * width_, 16); }
  std::int64_t tile_floats() const { return round_up(kernel_.rows * width_, 16); }
  std::int64_t row_floats() const { return round_up(kernel_.rows * attrs_.k, 16); }
  Scratch divide(std::byte* bytes) const noexcept {
    auto* floats = reinterpret_cast<float*>(bytes);
    float* zeros = floats + panel_floats();
    float* tile = zeros + round_up(width_, 16);
    return {floats, zeros, tile, tile + tile_floats(), tile + 2 * tile_floats()};
  }
  std::int64_t packed_width(std::int64_t columns) const { return round_up(columns, kernel_.lanes); }

  void pack(const TensorRef& b, std::int64_t index, std::int64_t columns, const Scratch& scratch) const noexcept {
    const std::int64_t width = packed_width(columns);
    float* dst = scratch.panel;
    for (std::int64_t i = 0; i < attrs_.k; ++i, dst += width, index += attrs_.n) {
      const float* row = cpu::gathered(b, index, columns, dst);
      if (row != dst) std::memcpy(dst, row, static_cast<std::size_t>(columns) * sizeof(float));
      std::fill(dst + columns, dst + width, 0.0f);
    }
  }

  void multiply(const NodeArgs& args, const Scratch& scratch, const Tile& tile) const noexcept {
    const float* rows[MicroKernel::kMaxRows];
    const std::int64_t a = reference::at_place(tile.batch, attrs_.batch, attrs_.a_strides, tile.row * attrs_.k);
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      rows[r] = cpu::gathered(args.inputs[0], a + r * attrs_.k, attrs_.k, scratch.rows + r * attrs_.k);
    }
    const GemmEpilogue epilogue;
    const std::int64_t vectors = packed_width(tile.columns) / kernel_.lanes;
    kernel_.tiles[tile.rows - 1][vectors - 1](GemmTile{.a = rows,
                                                       .segments = 1,
                                                       .length = attrs_.k,
                                                       .b = scratch.panel,
                                                       .start = scratch.zeros,
                                                       .dst = scratch.results,
                                                       .dst_stride = width_,
                                                       .columns = tile.columns,
                                                       .epilogue = &epilogue,
                                                       .scratch = scratch.tile});
    const TensorRef results{scratch.results, 1, 1, tile.rows, width_, width_};
    std::int64_t out = (tile.batch * attrs_.m + tile.row) * attrs_.n + tile.column;
    for (std::int64_t r = 0; r < tile.rows; ++r, out += attrs_.n) {
      cpu::copy_elements(results, r * width_, args.output, out, tile.columns);
    }
  }

  MatMulAttrs attrs_;
  const MicroKernel& kernel_;
  std::int64_t width_, batches_ = 1, panels_, row_blocks_;
};

template <Isa isa>
std::unique_ptr<NodeImpl> make(const ImplContext& context) {
  return std::make_unique<MatMulPanels>(context, *cpu::variant_for(gemm_variants(), isa));
}

constexpr NodeImplInfo kImpls[] = {
#if defined(TESSERA_X86)
    {"matmul_avx512", Isa::avx512, takes_all, make<Isa::avx512>},
    {"matmul_avx2", Isa::avx2, takes_all, make<Isa::avx2>},
#elif defined(TESSERA_NEON)
    {"matmul_neon", Isa::neon, takes_all, make<Isa::neon>},
#endif
    {"matmul_scalar", Isa::none, takes_all, make<Isa::none>},
    kMatMulReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_matmul_impls() { return kImpls; }

}  // namespace tessera
