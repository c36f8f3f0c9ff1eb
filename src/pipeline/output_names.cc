#include "pipeline/output_names.h"

#include <system_error>

#include "base/text.h"

namespace tessera {
namespace fs = std::filesystem;

Result<OutputNames> OutputNames::create(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);  // an existing folder is no error, an existing file is
  if (error) return Error{Code::io, text(folder.string(), ": cannot make the output folder: ", error.message())};
  if (!fs::is_directory(folder, error)) {
    return Error{Code::io, text(folder.string(), ": the output folder is not a folder")};
  }
  return OutputNames(folder);
}

fs::path OutputNames::next(std::string_view photo, std::string_view extension) {
  const std::string stem = photo == "-" ? "stdin" : fs::path(photo).stem().string();
  std::string name = stem;
  for (int n = 2; !used_.insert(name).second; ++n) name = text(stem, '_', n);
  return folder_ / text(name, extension);
}

}  // namespace tessera
