#include "pipeline/text_out.h"

#include <cerrno>
#include <system_error>

#include "base/text.h"

namespace tessera {
namespace {

std::string reason(int error) { return std::error_code(error, std::generic_category()).message(); }

}  // namespace

Result<TextOut> TextOut::file(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return Error{Code::io, text(path.string(), ": cannot write: ", reason(errno))};
  return TextOut(file, true, path.string());
}

TextOut TextOut::stream(std::FILE* stream, std::string name) { return TextOut(stream, false, std::move(name)); }

Error TextOut::failed() const {
  if (errno == EPIPE) return {Code::io, text(name_, ": the reader closed the pipe")};
  return {Code::io, text(name_, ": cannot write: ", reason(errno))};
}

Status TextOut::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) return failed();
  return {};
}

Status TextOut::flush() {
  if (std::fflush(file_.get()) != 0) return failed();
  return {};
}

Status TextOut::close() {
  if (!file_) return {};
  TESSERA_TRY(flush());
  if (!file_.get_deleter().owned) return {};
  if (std::fclose(file_.release()) != 0) return failed();
  return {};
}

}  // namespace tessera
