#pragma once
// Where text results go: a file or an open stream such as standard output. Every write is checked.

#include <tessera/result.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tessera {

class TextOut {
 public:
  /// Replaces the file; io when it cannot be opened.
  static Result<TextOut> file(const std::filesystem::path& path);
  /// Borrows an open stream, which is flushed by close() but stays open. `name` is for errors ("stdout").
  static TextOut stream(std::FILE* stream, std::string name);

  /// io when the bytes cannot be taken: full disk, closed pipe.
  Status write(std::string_view text);
  Status flush();
  /// Flushes, and closes an owned file; a full disk may show only here.
  Status close();
  const std::string& name() const noexcept { return name_; }

 private:
  struct Closer {
    bool owned = true;
    void operator()(std::FILE* file) const noexcept {
      if (owned) std::fclose(file);
    }
  };
  TextOut(std::FILE* file, bool owned, std::string name) : file_(file, Closer{owned}), name_(std::move(name)) {}
  Error failed() const;

  std::unique_ptr<std::FILE, Closer> file_;
  std::string name_;
};

}  // namespace tessera
