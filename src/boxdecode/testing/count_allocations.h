#pragma once

namespace tessera::boxdecode::testing {

/// Calls of operator new so far, in the whole test program (count_allocations.cc replaces it).
long allocation_count();

}  // namespace tessera::boxdecode::testing
