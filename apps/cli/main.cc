// The program: reads the command line, runs one verb, tells the outcome by the exit status (0, 1 failed, 2 misused).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <vector>

#include "common/interrupt.h"
#include "common/io.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  tessera detect photo.jpg                      objects as text, with the embedded model\n"
    "  tessera detect photos/ --output out/          the pictures with boxes drawn in\n"
    "  tessera pull yolov4-tiny && tessera detect --model yolov4-tiny photo.jpg --json\n"
    "\n"
    "Each verb explains itself: tessera detect --help\n"
    "Exit status: 0 done, 1 something failed (named on stderr), 2 the command line is wrong.";

struct Entry {
  CLI::App* app;
  Run run;
};

void add_verbosity(CLI::App& app, Verbosity& verbosity) {
  app.add_flag("-q,--quiet", verbosity.quiet, "No progress and no notes on stderr; errors still")->group("Common");
  app.add_flag("-v,--verbose", verbosity.verbose, "Tell each choice and its reason on stderr")->group("Common");
  app.set_help_flag("-h,--help", "Show this help")->group("Common");
}

int misused(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* at = &app;
  for (const CLI::App* verb : app.get_subcommands()) at = verb;
  fmt::print(stderr, "tessera: {}\nSee: tessera {}--help\n", error.what(), at == &app ? "" : at->get_name() + " ");
  return kMisused;
}

/// Help was asked for: on stdout, status 0.
int help(const CLI::App& app) {
  const CLI::App* at = &app;
  for (const CLI::App* verb : app.get_subcommands()) at = verb;
  fmt::print("{}", at == &app ? app.help() : at->help("tessera " + at->get_name()));
  return std::fflush(stdout) == 0 ? kOk : kFailed;
}

int run_program(int argc, char** argv) {
  CLI::App app("Tessera finds objects in photos, fast and faithfully, on this machine's processor.", "tessera");
  Verbosity verbosity;
  app.get_formatter()->column_width(34);
  app.require_subcommand(1);
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("--version", "tessera " TESSERA_VERSION, "Show the version");
  std::vector<Entry> entries;
  for (const Verb& verb : verbs()) {
    CLI::App& sub = *app.add_subcommand(verb.name, verb.summary);
    entries.push_back({&sub, verb.add(sub)});
    add_verbosity(sub, verbosity);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return help(app);
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return std::fflush(stdout) == 0 ? kOk : kFailed;
  } catch (const CLI::ParseError& error) {
    return misused(app, error);
  }
  Io io(verbosity);
  for (const Entry& entry : entries) {
    if (entry.app->parsed()) return entry.run(io);
  }
  return kMisused;
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  tessera::cli::watch_signals();
  return tessera::cli::run_program(argc, argv);
}
