#pragma once
// The models that `tessera pull` knows: where their authors publish them, under what licence, and what they hash to.

#include <span>
#include <string_view>

namespace tessera::cli {

enum class FileRole { model, weights, names };

struct KnownFile {
  FileRole role;
  std::string_view name;        ///< in the cache
  std::string_view base, path;  ///< the authors' address, in two parts
  std::string_view sha256;      ///< empty: none known; what was fetched is then only checked to be complete
};

struct KnownModel {
  std::string_view name;
  std::string_view summary;
  std::string_view license;
  std::string_view license_url;
  std::span<const KnownFile> files;
  bool readable = true;  ///< this version of Tessera reads the format
};

/// Sorted by name.
std::span<const KnownModel> known_models();
const KnownModel* find_known_model(std::string_view name);

}  // namespace tessera::cli
