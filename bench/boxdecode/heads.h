#pragma once
// The logits that are decoded: three levels of 80x80, 40x40 and 20x20 cells, 3 slots of 80 classes, as YOLOv4 at 640.

#include <array>
#include <string>
#include <vector>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::bench {

inline constexpr std::int32_t kClasses = 80, kSlotChannels = 85, kSlots = 25'200;

struct Heads {
  std::string origin;                      ///< "generated", or the folder they were read from
  std::array<std::vector<float>, 3> data;  ///< [cells, cells, 255], row-major

  float at(std::size_t level, std::int64_t y, std::int64_t x, std::int64_t c) const {
    return data[level][static_cast<std::size_t>((y * side(level) + x) * 255 + c)];
  }
  static std::int64_t side(std::size_t level) { return 80 >> level; }
};

/// p3.npy, p4.npy and p5.npy (1 x 255 x H x W) of the folder that BOXDECODE_HEADS names, as real_heads.py writes them.
/// Without the variable: nearly all objectness far below zero, one slot in a thousand an object.
const Heads& heads();

enum class Memory { dense, blocked };

/// YoloV4V1 on these heads. T = 0.25, single-label.
testing::Case combined_case(DType dtype, Memory memory);
/// Yolo26RawLtrb: 8,400 cells; a cell's class logit is that of objectness * class of its first slot. Blocked: tiles of
/// 8 rows, all columns and `tile_c` channels.
testing::Case pair_case(DType dtype, Memory memory, std::int32_t classes, std::int64_t tile_c = 80);
/// YoloXV1: boxes, objectness and classes of the first slot of each cell in tensors of their own.
testing::Case objectness_case(DType dtype, Memory memory);

}  // namespace tessera::boxdecode::bench
