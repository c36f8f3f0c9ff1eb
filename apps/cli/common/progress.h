#pragma once
// The bar: "[=====>     ]  523/1000  41.2 photos/s  0:11 left  2 failed".

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/io.h"

namespace tessera::cli {

struct ProgressState {
  double done = 0;
  std::optional<double> total;  ///< unknown: no bar, no time left
  double seconds = 0;           ///< since the start
  std::uint64_t failed = 0;
};

/// The line, at most `width` columns. `unit` is "photos"; bytes are shown as MB when `unit` is "MB".
std::string progress_line(const ProgressState& state, std::string_view unit, int width);
/// "0:07", "12:34", "1:02:03".
std::string clock_text(double seconds);

/// Shows the line at most ten times a second, only where Io shows progress.
class Progress {
 public:
  Progress(Io& io, std::string_view unit, std::optional<double> total);
  void update(double done, std::uint64_t failed = 0);
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  Io& io_;
  std::string unit_;
  std::optional<double> total_;
  Clock::time_point start_, shown_;
};

}  // namespace tessera::cli
