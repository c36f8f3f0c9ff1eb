#pragma once
// f32 numbers as files hold them: little-endian, one after the other.

#include <cstddef>
#include <optional>
#include <span>

#include "base/file_bytes.h"
#include "graph/constant.h"

namespace tessera {

/// bytes.size() / 4 numbers. They stay where they are when they lie aligned in `file`, else (or without one) they are
/// copied.
Constant stored_numbers(std::span<const std::byte> bytes, const FileBytes* file);

/// The place of the first NaN or infinity.
std::optional<std::size_t> first_not_finite(std::span<const float> numbers) noexcept;

}  // namespace tessera
