#pragma once
// Box of one slot, by the rule of its head.

#include <cstddef>
#include <cstdint>
#include <span>

#include "boxdecode/box.h"
#include "boxdecode/plan.h"

namespace tessera::boxdecode {

/// A cell: where it is stored, and what it is called in the formulas (they differ in a mosaic).
struct Cell {
  std::int32_t y, x;      ///< in the tensor
  std::int32_t row, col;  ///< in the image's window
};

/// Reads the slot's box channels and decodes them. May be improper; the caller judges.
Box slot_box(const HeadPlan& head, std::span<const std::span<const std::byte>> inputs, Cell cell, int slot) noexcept;

}  // namespace tessera::boxdecode
