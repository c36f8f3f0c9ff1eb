#pragma once
// What the program can do: one table of verbs, one file per verb.

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

#include "common/io.h"

namespace tessera::cli {

/// Runs a parsed verb; the exit status.
using Run = std::function<int(Io&)>;

struct Verb {
  const char* name;
  const char* summary;
  /// Declares the verb's options on `app`, whose help ends with examples, and returns what runs them.
  Run (*add)(CLI::App& app);
};

/// In the order of the help: what most people want comes first.
std::span<const Verb> verbs();

Run add_bench(CLI::App& app);
Run add_compare(CLI::App& app);
Run add_convert(CLI::App& app);
Run add_detect(CLI::App& app);
Run add_eval(CLI::App& app);
Run add_inspect(CLI::App& app);
Run add_pull(CLI::App& app);
Run add_run(CLI::App& app);
Run add_tune(CLI::App& app);
Run add_version(CLI::App& app);

}  // namespace tessera::cli
