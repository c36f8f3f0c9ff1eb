#include "common/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace tessera::cli {
namespace {

constexpr int kMaxBar = 30;

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string bar(double share, int width) {
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
  const char* head = full < width ? ">" : "";
  return fmt::format("[{}{}{}]", std::string(static_cast<std::size_t>(full), '='), head,
                     std::string(static_cast<std::size_t>(std::max(0, width - full - 1)), ' '));
}

}  // namespace

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::clamp(std::ceil(seconds), 0.0, 359999.0));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string progress_line(const ProgressState& state, std::string_view unit, int width) {
  const double rate = state.seconds > 0 ? state.done / state.seconds : 0;
  const bool whole = unit != "MB";
  const auto amount = [&](double value) { return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value); };
  std::string text = amount(state.done);
  if (state.total) text += "/" + amount(*state.total);
  text += fmt::format("  {:.1f} {}/s", rate, unit);
  if (state.total && rate > 0) text += "  " + clock_text((*state.total - state.done) / rate) + " left";
  if (state.failed > 0) text += fmt::format("  {} failed", state.failed);
  const int room = std::min(kMaxBar, width - static_cast<int>(text.size()) - 5);
  if (state.total && *state.total > 0 && room >= 5) text = bar(state.done / *state.total, room) + "  " + text;
  if (static_cast<int>(text.size()) >= width) text.resize(static_cast<std::size_t>(std::max(0, width - 1)));
  return text;
}

Progress::Progress(Io& io, std::string_view unit, std::optional<double> total)
    : io_(io), unit_(unit), total_(total), start_(Clock::now()), shown_(start_ - std::chrono::hours(1)) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::update(double done, std::uint64_t failed) {
  const auto now = Clock::now();
  if (!io_.shows_progress() || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  io_.show_line(progress_line({done, total_, seconds(), failed}, unit_, terminal_width()));
}

}  // namespace tessera::cli
