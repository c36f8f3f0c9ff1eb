#pragma once

namespace tessera::boxdecode::testing {

/// Calls of malloc and its kin, and of mmap, from the code of this program and its static libraries so far. The linker
/// leads them through testing/count_system_allocations.cc (--wrap), so sanitizers may replace malloc as they like.
long system_allocation_count();

}  // namespace tessera::boxdecode::testing
