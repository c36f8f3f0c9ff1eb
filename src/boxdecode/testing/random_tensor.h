#pragma once
// Where the elements of a random input lie: dense, strided with gaps, or blocked with awkward tiles.

#include "boxdecode/testing/case.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode::testing {

DType random_dtype(Choices& choices);
/// A legal spec. `combined`: the tensor of a combined head, whose layouts are restricted.
TensorSpec random_tensor(Choices& choices, DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, bool combined);

}  // namespace tessera::boxdecode::testing
