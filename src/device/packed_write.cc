// Writing a file of packed weights, in the one order that never shows half of it.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/text.h"
#include "device/packed_file.h"

namespace tessera {
namespace {

Error failed(const std::string& what, int error) {
  return {Code::io, text(what, ": ", std::generic_category().message(error))};
}

std::span<iovec> rest_of(std::span<iovec> parts, std::size_t written) {
  for (; !parts.empty() && written >= parts.front().iov_len; parts = parts.subspan(1)) written -= parts.front().iov_len;
  if (parts.empty()) return parts;
  parts.front().iov_base = static_cast<std::byte*>(parts.front().iov_base) + written;
  parts.front().iov_len -= written;
  return parts;
}

/// A new file beside the one to be, gone unless it was given that name.
class PartFile {
 public:
  explicit PartFile(const std::string& path) : path_(path + ".XXXXXX"), fd_(::mkostemp(path_.data(), O_CLOEXEC)) {}
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (fd_ < 0) return;
    ::close(fd_);
    if (!named_) ::unlink(path_.c_str());
  }

  bool opened() const { return fd_ >= 0; }
  /// In one call as far as the system goes: where files are kept in huge pages, these begin with the first byte of a
  /// call.
  bool write(std::span<iovec> parts) {
    while (!parts.empty()) {
      const ssize_t written = ::writev(fd_, parts.data(), static_cast<int>(parts.size()));
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) parts = rest_of(parts, static_cast<std::size_t>(written));
    }
    return true;
  }
  bool name(const std::string& path) { return named_ = ::rename(path_.c_str(), path.c_str()) == 0; }

 private:
  std::string path_;
  int fd_;
  bool named_ = false;
};

}  // namespace

// Not synced: to wait for the disk once per layer takes longer than to load a model, and what a power failure leaves of
// a file has another hash, so that it is made again.
Status write_packed(const std::string& directory, std::string_view label, std::span<const float> floats) {
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return failed(directory, errno);
  const std::string path = text(directory, "/", packed_name(label));
  std::string header = packed_header(label, floats);
  iovec parts[] = {{header.data(), header.size()},
                   {const_cast<float*>(floats.data()), floats.size_bytes()}};  // only read
  PartFile file(path);
  if (!file.opened() || !file.write(parts) || !file.name(path)) return failed(path, errno);
  return {};
}

}  // namespace tessera
