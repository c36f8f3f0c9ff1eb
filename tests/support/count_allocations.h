#pragma once

namespace tessera::test {

/// Calls of operator new in this program so far; tests/support/count_allocations.cc, which replaces it, must be linked.
long allocation_count();

}  // namespace tessera::test
