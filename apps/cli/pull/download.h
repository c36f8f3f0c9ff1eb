#pragma once
// One file over HTTP, resumable.

#include <tessera/result.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tessera::cli {

struct DownloadHooks {
  /// Bytes so far and in all, when the server says; false stops (Code::cancelled, what came stays for a resume).
  std::function<bool(std::int64_t done, std::optional<std::int64_t> total)> progress;
};

/// Fetches `url` into `path`: writes PATH.part, goes on where an earlier attempt ended when the server allows it (and
/// begins anew when it does not), checks the sum, then renames. Redirects are followed; https stays https.
/// `sha256` empty: completeness only, as told by Content-Length.
/// Errors  not_found: the server answers 404 or 410; corrupt: the sum differs (the .part is removed: resuming it would
///         fail again); io: no connection, cut off, other statuses, disk; the text names address and fact.
Status download(const std::string& url, const std::filesystem::path& path, const std::string& sha256,
                const DownloadHooks& hooks);

}  // namespace tessera::cli
