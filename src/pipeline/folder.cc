#include "pipeline/folder.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "pipeline/natural_order.h"
#include "pipeline/source.h"

namespace tessera {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kExtensions[] = {".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".pnm", ".ppm", ".webp"};

void sort_naturally(std::vector<fs::path>& paths) {
  std::ranges::sort(paths, [](const fs::path& a, const fs::path& b) { return natural_less(a.native(), b.native()); });
}

Error cannot_list(const fs::path& folder, const std::error_code& why) {
  const bool gone = why == std::errc::no_such_file_or_directory;
  return {gone ? Code::not_found : Code::io, text(folder.string(), ": cannot list the folder: ", why.message())};
}

}  // namespace

bool has_picture_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kExtensions, extension) != std::end(kExtensions);
}

Result<FolderListing> list_folder(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  FolderListing listing;
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;  // a broken link is neither a file nor a folder
    if (entry->is_directory(ignored)) {
      listing.folders.push_back(entry->path());
    } else if (has_picture_extension(entry->path()) && !entry->is_other(ignored)) {
      listing.files.push_back(entry->path());  // also broken links: reading them names them
    }
  }
  if (error) return cannot_list(folder, error);
  sort_naturally(listing.files);
  sort_naturally(listing.folders);
  return listing;
}

std::optional<FolderId> folder_id(const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  return FolderId{status.st_dev, status.st_ino};
}

bool is_pattern(const std::string& argument) { return argument.find_first_of("*?[") != std::string::npos; }

Result<std::vector<std::string>> expand_pattern(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> matches;
  for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i) matches.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status == GLOB_NOSPACE) return Error{Code::limit_exceeded, text(pattern, ": the pattern matches too much")};
  if (status != 0 || matches.empty()) return Error{Code::not_found, text(pattern, ": the pattern matches no file")};
  std::ranges::sort(matches, [](const auto& a, const auto& b) { return natural_less(a, b); });
  return matches;
}

}  // namespace tessera
