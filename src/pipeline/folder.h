#pragma once
// What is in a folder, and what a pattern matches.

#include <tessera/result.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

struct FolderListing {
  std::vector<std::filesystem::path> files;    ///< with a picture's extension, natural order
  std::vector<std::filesystem::path> folders;  ///< natural order
};
/// not_found when it is gone, io when it cannot be read.
Result<FolderListing> list_folder(const std::filesystem::path& folder);

/// The same for two paths that lead to one folder; nullopt when there is none.
using FolderId = std::pair<std::uint64_t, std::uint64_t>;
std::optional<FolderId> folder_id(const std::filesystem::path& folder);

/// Contains an unescaped * ? or [.
bool is_pattern(const std::string& argument);
/// Matches of glob(7), natural order, without those that begin with a dot unless the pattern says so. not_found when
/// nothing matches; a match is a literal path from then on.
Result<std::vector<std::string>> expand_pattern(const std::string& pattern);

}  // namespace tessera
