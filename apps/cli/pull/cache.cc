#include "pull/cache.h"

#include <cstdlib>
#include <system_error>

#include "base/text.h"

namespace tessera::cli {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

Result<fs::path> cache_folder() {
  // The XDG base directory specification: a relative path there is to be ignored.
  if (const fs::path xdg = environment("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "tessera" / "models";
  if (const fs::path home = environment("HOME"); !home.empty()) return home / ".cache" / "tessera" / "models";
  return Error{Code::not_found, "no cache folder: set XDG_CACHE_HOME or HOME"};
}

fs::path cached_file(const fs::path& cache, const KnownModel& model, const KnownFile& file) {
  return cache / model.name / file.name;
}

std::optional<PulledModel> find_pulled(const std::string& name) {
  const KnownModel* model = find_known_model(name);
  const auto cache = cache_folder();
  if (!model || !cache) return std::nullopt;
  PulledModel pulled;
  for (const KnownFile& file : model->files) {
    const fs::path path = cached_file(*cache, *model, file);
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    std::string& role = file.role == FileRole::model     ? pulled.model
                        : file.role == FileRole::weights ? pulled.weights
                                                         : pulled.names;
    role = path.string();
  }
  return pulled;
}

std::string why_not_pulled(const std::string& name) {
  if (find_known_model(name)) {
    return text("no such file, but a model to be fetched: say `tessera pull ", name, "` first");
  }
  return "no such file, and no model of this name: see `tessera pull --list`";
}

}  // namespace tessera::cli
