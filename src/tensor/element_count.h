#pragma once
// Not in the public header: tensor.h stays with the standard library, as tessera::boxdecode needs it.

#include <tessera/result.h>
#include <tessera/tensor.h>

#include <cstdint>

namespace tessera {

/// Product of the extents; limit_exceeded when it overflows or an extent is negative.
Result<std::int64_t> element_count(const Shape& shape);

}  // namespace tessera
