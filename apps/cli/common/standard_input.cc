#include "common/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "common/interrupt.h"

namespace tessera::cli {

StandardInput::int_type StandardInput::underflow() {
  while (!interrupted()) {
    pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {interrupt_file(), POLLIN, 0}};  // a file of -1 is passed over
    const int ready = ::poll(files, 2, -1);
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0 || files[0].revents == 0) continue;
    const ssize_t got = ::read(STDIN_FILENO, buffer_, sizeof buffer_);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    setg(buffer_, buffer_, buffer_ + got);
    return traits_type::to_int_type(buffer_[0]);
  }
  return traits_type::eof();
}

}  // namespace tessera::cli
