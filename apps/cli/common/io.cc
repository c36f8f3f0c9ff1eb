#include "common/io.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tessera::cli {

Io::Io(const Verbosity& verbosity)
    : verbosity_(verbosity),
      out_(stdout_handle()),
      shows_progress_(!verbosity.quiet && ::isatty(STDERR_FILENO) == 1 && std::getenv("NO_PROGRESS") == nullptr) {
  auto logger = std::make_shared<spdlog::logger>("tessera", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("tessera: %v");
  logger->set_level(verbosity.verbose ? spdlog::level::debug
                    : verbosity.quiet ? spdlog::level::err
                                      : spdlog::level::info);
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(std::move(logger));
}
Io::~Io() { clear_line(); }

TextOut Io::stdout_handle() { return TextOut::stream(stdout, "stdout"); }

void Io::error(std::string_view message) {
  clear_line();
  spdlog::error("{}", message);
}
void Io::note(std::string_view message) {
  clear_line();
  spdlog::info("{}", message);
}
void Io::debug(std::string_view message) {
  if (!verbosity_.verbose) return;
  clear_line();
  spdlog::debug("{}", message);
}
std::function<void(std::string_view)> Io::debug_sink() {
  if (!verbosity_.verbose) return {};
  return [this](std::string_view line) { debug(line); };
}

void Io::show_line(std::string_view line) {
  if (!shows_progress_) return;
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  line_shown_ = true;
}
void Io::clear_line() {
  if (!line_shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  line_shown_ = false;
}

int Io::failed(const Error& error) {
  this->error(error.message);
  return kFailed;
}
int Io::print(std::string_view text) {
  clear_line();  // stdout is often the same terminal
  auto written = out_.write(text);
  if (written) written = out_.flush();
  return written ? kOk : failed(written.error());
}

}  // namespace tessera::cli
