#pragma once
// Ctrl-C once: finish what is in hand and keep what is done. Twice: end at once.

namespace tessera::cli {

/// Catches the first SIGINT and SIGTERM from here on; a second one has its usual effect. Also ignores SIGPIPE, so that
/// a closed pipe is a write error with a name.
void watch_signals();
bool interrupted() noexcept;
/// A file that becomes readable when the first signal is caught, for poll; -1 before watch_signals.
int interrupt_file() noexcept;

}  // namespace tessera::cli
