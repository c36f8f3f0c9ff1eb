#include "common/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace tessera::cli {
namespace {

volatile std::sig_atomic_t caught = 0;
int wake[2] = {-1, -1};  // a pipe: the signal interrupts one thread's read, and any of them may be the one that waits

void note_signal(int) {
  const int before = errno;
  caught = 1;
  [[maybe_unused]] const auto written = ::write(wake[1], "", 1);
  errno = before;
}

}  // namespace

void watch_signals() {
  if (::pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESETHAND;  // the second one ends the program
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // the write that fails says so
#ifdef SIGXFSZ
  ::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files
#endif
}

bool interrupted() noexcept { return caught != 0; }
int interrupt_file() noexcept { return wake[0]; }

}  // namespace tessera::cli
