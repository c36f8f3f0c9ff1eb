#include "common/interrupt.h"

#include <csignal>

namespace tessera::cli {
namespace {

volatile std::sig_atomic_t caught = 0;
void note_signal(int) { caught = 1; }

}  // namespace

void watch_signals() {
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

}  // namespace tessera::cli
