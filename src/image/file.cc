#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "image/image.h"

namespace tessera {
namespace {

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error cannot(const char* what, const std::filesystem::path& path, int reason) {
  const bool gone = reason == ENOENT || reason == ENOTDIR;
  const bool name = reason == EISDIR || reason == ENAMETOOLONG || reason == ELOOP;  // another one would do
  const Code code = gone ? Code::not_found : name ? Code::invalid_argument : Code::io;
  return {code, text("'", path.string(), "': cannot ", what, ": ", std::generic_category().message(reason))};
}

/// Half a picture is worse than none. Devices and what a link leads to stay.
Error cannot_write(const std::filesystem::path& path, int reason) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(path, ignored))) {
    std::filesystem::remove(path, ignored);
  }
  return cannot("write", path, reason);
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::int64_t max_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return cannot("read", path, EISDIR);
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return cannot("open", path, errno);
  std::vector<std::byte> bytes;
  // Grown by what really arrives: a pipe has no size, and a stated size is only a hint.
  constexpr std::size_t kStep = std::size_t{1} << 20;
  const auto hint = std::filesystem::file_size(path, ignored);
  if (!ignored && hint <= static_cast<std::uintmax_t>(max_bytes)) bytes.reserve(static_cast<std::size_t>(hint) + 1);
  for (;;) {
    const std::size_t had = bytes.size(), want = bytes.capacity() > had ? bytes.capacity() - had : kStep;
    bytes.resize(had + want);
    const std::size_t got = std::fread(bytes.data() + had, 1, want, file.get());
    bytes.resize(had + got);
    if (static_cast<std::uint64_t>(bytes.size()) > static_cast<std::uint64_t>(max_bytes)) {
      return Error{Code::limit_exceeded, text("'", path.string(), "': longer than the limit of ", max_bytes, " bytes")};
    }
    if (got < want) break;
  }
  if (std::ferror(file.get())) return cannot("read", path, errno);
  return bytes;
}

Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return cannot("create", path, errno);
  // An empty span may be a null pointer, which fwrite does not take.
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return cannot_write(path, errno);
  }
  if (std::fclose(file.release()) != 0) return cannot_write(path, errno);  // a full disk may show only here
  return {};
}

}  // namespace tessera
