#include "base/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

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

std::uintptr_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

Error failed(const std::string& path, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR;
  return {absent ? Code::not_found : Code::io,
          text("file '", path, "': ", absent ? "not there" : std::generic_category().message(error))};
}

}  // namespace

struct FileBytes::Mapping {
  std::span<const std::byte> bytes;

  explicit Mapping(std::span<const std::byte> mapped) : bytes(mapped) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
  }
};

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
  if (size == 0) return FileBytes(std::make_shared<const Mapping>(std::span<const std::byte>()));  // nothing to map
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data == MAP_FAILED) return failed(path, errno);
  return FileBytes(std::make_shared<const Mapping>(std::span(static_cast<const std::byte*>(data), size)));
}

std::span<const std::byte> FileBytes::bytes() const noexcept { return mapping_->bytes; }

std::shared_ptr<const void> FileBytes::hold(std::span<const std::byte> part) const {
  return {part.data(), [part, mapping = mapping_](const void*) { give_back(part); }};
}

void bring_in([[maybe_unused]] std::span<const std::byte> part) noexcept {
#if defined(MADV_POPULATE_READ)
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data()) / page_bytes() * page_bytes();
  const auto end = reinterpret_cast<std::uintptr_t>(part.data()) + part.size();
  if (begin >= end) return;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // for what is not in the system's cache yet
  // Refused by Linux before 5.14: then the pages come one by one.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#endif
}

void give_back(std::span<const std::byte> part) noexcept {
  const std::uintptr_t page = page_bytes();
  const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(part.data()) + part.size()) / page * page;
  // Advice: where it is refused the pages merely stay.
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace tessera
