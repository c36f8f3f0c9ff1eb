#include "model/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace tessera {
namespace {

/// A file descriptor closed at the end of its scope.
struct Descriptor {
  int fd;
  explicit Descriptor(const std::string& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

Error failed(const std::string& path, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR;
  return {absent ? Code::not_found : Code::io,
          text("file '", path, "': ", absent ? "not there" : std::generic_category().message(error))};
}

}  // namespace

Result<FileBytes> FileBytes::open(const std::string& path, std::int64_t limit) {
  const Descriptor file(path);
  struct stat facts {};
  if (file.fd < 0 || ::fstat(file.fd, &facts) != 0) return failed(path, errno);
  if (!S_ISREG(facts.st_mode)) return Error{Code::io, text("file '", path, "': not a plain file")};
  if (facts.st_size > limit) {
    return Error{Code::limit_exceeded,
                 text("file '", path, "': ", facts.st_size, " bytes; at most ", limit, " are read")};
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return FileBytes(nullptr, 0);  // nothing to map
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data == MAP_FAILED) return failed(path, errno);
  return FileBytes(data, size);
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileBytes::~FileBytes() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace tessera
