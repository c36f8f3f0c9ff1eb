#pragma once

namespace tessera::test {

/// Calls of operator new in this program so far; tests/support/count_allocations.cc, which replaces it, must be linked.
long allocation_count();
/// The next operator new but `count` throws, and the counting ends; -1: none does.
void fail_allocation_after(long count);

}  // namespace tessera::test
