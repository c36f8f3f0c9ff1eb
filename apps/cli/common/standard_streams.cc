#include "common/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace tessera::cli {

void open_standard_streams() {
  // open() takes the lowest free number, so each call fills the hole that was just found.
  constexpr struct {
    int stream, flags;
  } kStreams[] = {{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
  for (const auto& [stream, flags] : kStreams) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    if (::open("/dev/null", flags) != stream) return;  // nothing better to do, and nobody to tell
  }
}

}  // namespace tessera::cli
