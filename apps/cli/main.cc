// The program: reads the command line, runs one verb, tells the outcome by the exit status (0, 1 failed, 2 misused).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "common/interrupt.h"
#include "common/io.h"
#include "common/standard_streams.h"
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

/// Options without what CLI11 adds about checks and exclusions: the texts say it in words.
class Formatter final : public CLI::Formatter {
 public:
  Formatter() { column_width(34); }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out;
    if (option->get_type_size() != 0) {
      const std::string type = option->get_type_name();  // "INT:INT in [1 - 100]": the check after the colon
      out = " " + type.substr(0, type.find(':'));
      if (!option->get_default_str().empty()) out += " (" + option->get_default_str() + ")";
    }
    return out;
  }
};

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
  fmt::print("{}", at == &app ? app.help() : at->help("tessera"));
  return std::fflush(stdout) == 0 ? kOk : kFailed;
}

/// CLI11 says "a subcommand is required" to a word it does not know; the word is the better answer.
bool is_unknown_verb(const char* word) {
  if (word[0] == '-') return false;
  return std::ranges::none_of(verbs(), [&](const Verb& verb) { return std::string_view(word) == verb.name; });
}

int run_program(int argc, char** argv) {
  CLI::App app("Tessera finds objects in photos, fast and faithfully, on this machine's processor.", "tessera");
  Verbosity verbosity;
  app.formatter(std::make_shared<Formatter>());
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
  if (argc > 1 && is_unknown_verb(argv[1])) {
    fmt::print(stderr, "tessera: '{}' is no verb\nSee: tessera --help\n", argv[1]);
    return kMisused;
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
  tessera::cli::open_standard_streams();
  tessera::cli::watch_signals();
  try {
    return tessera::cli::run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("tessera: out of memory\n", stderr);
    return tessera::cli::kFailed;
  } catch (const std::exception& error) {  // a thread that the system refuses
    std::fprintf(stderr, "tessera: %s\n", error.what());
    return tessera::cli::kFailed;
  }
}
