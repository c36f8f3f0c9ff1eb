#pragma once
// Which network a random problem comes from: profile, task, classes, and the tensors of its heads.

#include "boxdecode/testing/case.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode::testing {

/// Sets profile, task, activation, classes, keypoints.
void choose_profile(Choices& choices, Params& p);
/// Sets model size, mosaic, anchor grid, heads, basis and inputs; tensors are bound to ports in any order.
void choose_heads(Choices& choices, Case& c);

}  // namespace tessera::boxdecode::testing
