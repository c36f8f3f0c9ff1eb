#pragma once

#include "boxdecode/testing/case.h"
#include "boxdecode/testing/choices.h"

namespace tessera::boxdecode::testing {

/// A valid problem, every decision taken from `choices`: profile, task, heads, ports, element types, layouts,
/// thresholds, limits, mosaic, mapping, and values that tie, saturate, sit at the cutoff, or are not numbers.
Case random_case(Choices& choices);

}  // namespace tessera::boxdecode::testing
