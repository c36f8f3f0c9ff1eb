#pragma once
// For tests: whether a page of this process's memory is there.

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

namespace tessera::testing {

/// Whether the page that `p` lies in is in memory and mapped; nullopt where the system does not tell
/// (/proc/self/pagemap, a 64-bit word per page, the highest bit of which says it; only whole words can be read).
inline std::optional<bool> page_is_there(const void* p) {
  const auto page = reinterpret_cast<std::uintptr_t>(p) / static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const int file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::uint64_t word = 0;
  const ssize_t got = ::pread(file, &word, sizeof word, static_cast<off_t>(page * sizeof word));
  ::close(file);
  if (got != static_cast<ssize_t>(sizeof word)) return std::nullopt;
  return (word >> 63) != 0;
}

}  // namespace tessera::testing
