#pragma once
// What the elements of a random problem hold: ordinary numbers, and everything a decoder trips over.

#include "boxdecode/testing/case.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode::testing {

/// Fills every input, padding included (with anything). Heads, activation and threshold must be set.
void fill_random(Choices& choices, Case& c);

}  // namespace tessera::boxdecode::testing
