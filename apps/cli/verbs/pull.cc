#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "base/text.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "pull/cache.h"
#include "pull/download.h"
#include "pull/known_models.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "Examples:\n"
    "  tessera pull --list\n"
    "  tessera pull yolov4-tiny\n"
    "  tessera detect --model yolov4-tiny photo.jpg\n"
    "\n"
    "Files come from their authors' own addresses, are checked against the SHA-256 listed with them, and lie in\n"
    "$XDG_CACHE_HOME/tessera/models (by default ~/.cache/tessera/models). A download that was cut goes on where it\n"
    "ended. The licence is the authors': it is shown before the download.";

struct PullOptions {
  std::vector<std::string> names;
  bool list = false;
  std::string mirror;
};

/// The authors' address, or the same path below another one: for mirrors, and for tests without a network.
std::string address(const KnownFile& file, const std::string& mirror) {
  if (mirror.empty()) return text(file.base, file.path);
  return text(mirror, mirror.back() == '/' ? "" : "/", file.name);
}

int list(Io& io) {
  std::string out;
  for (const KnownModel& model : known_models()) {
    const bool here = find_pulled(std::string(model.name)).has_value();
    out += fmt::format("{:<24} {:<58} {}{}\n", model.name, model.summary, model.license, here ? "  [pulled]" : "");
    if (!model.readable) out += fmt::format("{:<24} not readable by this version; for other programs\n", "");
  }
  return io.print(out);
}

Status pull_file(const KnownFile& file, const fs::path& path, const std::string& mirror, Io& io) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) {
    io.note(text(file.name, ": already here"));
    return {};
  }
  const std::string url = address(file, mirror);
  io.note(text(file.name, " from ", url));
  if (file.sha256.empty()) io.note(text(file.name, ": no checksum is known for it; checked for completeness only"));
  std::optional<Progress> progress;
  DownloadHooks hooks;
  hooks.progress = [&](std::int64_t done, std::optional<std::int64_t> total) {
    constexpr double kMegabyte = 1e6;
    if (!progress && total) progress.emplace(io, "MB", static_cast<double>(*total) / kMegabyte);
    if (progress) progress->update(static_cast<double>(done) / kMegabyte);
    return !interrupted();
  };
  return download(url, path, std::string(file.sha256), hooks);
}

Status pull(const std::string& name, const std::string& mirror, Io& io) {
  const KnownModel* model = find_known_model(name);
  if (!model) return Error{Code::not_found, text(name, ": no model of this name: see `tessera pull --list`")};
  const auto cache = cache_folder();
  if (!cache) return cache.error();
  io.note(text(model->name, ": ", model->summary));
  io.note(text("licence: ", model->license, ", ", model->license_url));
  for (const KnownFile& file : model->files) {
    TESSERA_TRY(pull_file(file, cached_file(*cache, *model, file), mirror, io));
  }
  if (!model->readable) io.note(text(model->name, ": this version of tessera does not read the format yet"));
  return {};
}

int run(const PullOptions& o, Io& io) {
  if (o.list || o.names.empty()) return list(io);
  int status = kOk;
  for (const std::string& name : o.names) {
    if (const auto pulled = pull(name, o.mirror, io); !pulled) {
      status = io.failed(pulled.error());
      continue;
    }
    const auto folder = *cache_folder() / name;
    if (io.print(text(folder.string(), "\n")) != kOk) return kFailed;
  }
  return status;
}

}  // namespace

Run add_pull(CLI::App& app) {
  const auto options = std::make_shared<PullOptions>();
  app.add_option("names", options->names, "Models to fetch")->type_name("NAME");
  app.add_flag("--list", options->list, "Show what is known, with licences");
  app.add_option("--mirror", options->mirror, "Fetch the files by name from this address instead of the authors'")
      ->type_name("URL")
      ->envname("TESSERA_PULL_MIRROR");
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
