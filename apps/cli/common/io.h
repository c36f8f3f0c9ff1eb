#pragma once
// What every verb speaks through: results to stdout, everything else to stderr.

#include <tessera/result.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/text_out.h"

namespace tessera::cli {

/// 0: done. 1: something failed (it was named on stderr). 2: the command line is wrong, nothing was tried.
enum Exit : int { kOk = 0, kFailed = 1, kMisused = 2 };

struct Verbosity {
  bool quiet = false;    ///< no progress, no notes; errors still
  bool verbose = false;  ///< the library's choices and their reasons too
};

class Io {
 public:
  explicit Io(const Verbosity& verbosity);
  ~Io();
  Io(const Io&) = delete;
  Io& operator=(const Io&) = delete;

  TextOut& out() noexcept { return out_; }
  /// A second handle on stdout, for a sink to own.
  static TextOut stdout_handle();
  /// "tessera: ..." on stderr; clears the progress bar's line first.
  void error(std::string_view message);
  void note(std::string_view message);   ///< unless quiet
  void debug(std::string_view message);  ///< only when verbose
  std::function<void(std::string_view)> debug_sink();

  /// Progress may be shown: stderr is a terminal and nobody asked for quiet.
  bool shows_progress() const noexcept { return shows_progress_; }
  bool verbose() const noexcept { return verbosity_.verbose; }
  /// One line that replaces the one before; for Progress.
  void show_line(std::string_view line);
  void clear_line();

  /// Prints the error and returns kFailed: `return io.failed(error);`
  int failed(const Error& error);
  /// Writes to stdout; kOk or kFailed.
  int print(std::string_view text);

 private:
  Verbosity verbosity_;
  TextOut out_;
  bool shows_progress_ = false;
  bool line_shown_ = false;
};

}  // namespace tessera::cli
