#pragma once
// The slow twin: the same result as check_inference + execute, written to be read. No cutoffs, no gates, no limits on
// memory; shares nothing with the library but the two elementary functions. Tests and fuzzing compare against it.

#include <tessera/boxdecode.h>

#include <cstddef>
#include <vector>

namespace tessera::boxdecode {

struct ReferenceResult {
  std::vector<std::vector<std::byte>> outputs;
  ExecStats stats;
};

/// Decodes a request that check_inference accepts, with inputs that fit it.
ReferenceResult decode_reference(const Request& request, std::span<const std::span<const std::byte>> inputs,
                                 std::span<const ImageSize> original_sizes = {});

}  // namespace tessera::boxdecode
