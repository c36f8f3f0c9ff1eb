#include "pull/download.h"

#include <curl/curl.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "pull/sha256.h"

namespace tessera::cli {
namespace fs = std::filesystem;
namespace {

struct CurlCloser {
  void operator()(CURL* curl) const noexcept { curl_easy_cleanup(curl); }
};
struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// One attempt: appends to the .part file from `offset` on.
class Transfer {
 public:
  Transfer(const std::string& url, const fs::path& part, std::int64_t offset, const DownloadHooks& hooks)
      : url_(url), part_(part), offset_(offset), hooks_(hooks), curl_(curl_easy_init()) {}

  Status run() {
    file_.reset(std::fopen(part_.c_str(), offset_ > 0 ? "ab" : "wb"));
    if (!file_) return Error{Code::io, text(part_.string(), ": cannot write: ", reason(errno))};
    set_options();
    const CURLcode code = curl_easy_perform(curl_.get());
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status_);
    ignored_range_ = ignored_range_ || (code == CURLE_RANGE_ERROR && status_ == 200);
    const bool flushed = std::fflush(file_.get()) == 0;
    if (disk_error_ != 0 || !flushed) {
      return Error{Code::io, text(part_.string(), ": cannot write: ", reason(disk_error_ != 0 ? disk_error_ : errno))};
    }
    return judge(code);
  }
  /// The server refuses to go on from `offset` (it sent the whole, or said the range is outside).
  bool must_restart() const noexcept { return ignored_range_ || (offset_ > 0 && status_ == 416); }

 private:
  static std::string reason(int error) { return std::error_code(error, std::generic_category()).message(); }

  void set_options() {
    CURL* c = curl_.get();
    curl_easy_setopt(c, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(c, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, url_.rfind("https:", 0) == 0 ? "https" : "http,https");
    curl_easy_setopt(c, CURLOPT_USERAGENT, "tessera");
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);  // a minute without a byte is a dead connection
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(c, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(offset_));
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(c, CURLOPT_XFERINFODATA, this);
  }

  static std::size_t on_bytes(char* data, std::size_t size, std::size_t count, void* self) {
    auto& t = *static_cast<Transfer*>(self);
    long status = 0;
    curl_easy_getinfo(t.curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status >= 400) return size * count;  // an error page is not the file
    if (t.offset_ > 0 && status == 200) {    // the whole file again: must not be appended
      t.ignored_range_ = true;
      return 0;
    }
    const std::size_t written = std::fwrite(data, size, count, t.file_.get()) * size;
    if (written != size * count) t.disk_error_ = errno;
    return written;
  }

  static int on_progress(void* self, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    auto& t = *static_cast<Transfer*>(self);
    if (!t.hooks_.progress) return 0;
    const auto in_all = total > 0 ? std::optional<std::int64_t>(t.offset_ + total) : std::nullopt;
    return t.hooks_.progress(t.offset_ + done, in_all) ? 0 : 1;
  }

  Status judge(CURLcode code) const {
    if (code == CURLE_ABORTED_BY_CALLBACK) return Error{Code::cancelled, text(url_, ": stopped; pull again to go on")};
    if (status_ == 404 || status_ == 410) {
      return Error{Code::not_found, text(url_, ": the server has no such file (", status_, ")")};
    }
    if (status_ >= 400) return Error{Code::io, text(url_, ": the server answers ", status_)};
    if (code == CURLE_PARTIAL_FILE) {
      return Error{Code::io, text(url_, ": the connection was cut; pull again to go on from there")};
    }
    if (code != CURLE_OK) return Error{Code::io, text(url_, ": ", curl_easy_strerror(code))};
    return {};
  }

  const std::string& url_;
  const fs::path& part_;
  std::int64_t offset_;
  const DownloadHooks& hooks_;
  std::unique_ptr<CURL, CurlCloser> curl_;
  std::unique_ptr<std::FILE, FileCloser> file_;
  long status_ = 0;
  int disk_error_ = 0;
  bool ignored_range_ = false;
};

std::int64_t size_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

Status fetch(const std::string& url, const fs::path& part, const DownloadHooks& hooks) {
  const std::int64_t offset = size_of(part);
  Transfer transfer(url, part, offset, hooks);
  auto status = transfer.run();
  if (offset == 0 || !transfer.must_restart()) return status;
  return Transfer(url, part, 0, hooks).run();
}

Status check_sum(const std::string& url, const fs::path& part, const std::string& sha256) {
  if (sha256.empty()) return {};
  const auto sum = sha256_of_file(part);
  if (!sum) return sum.error();
  if (*sum == sha256) return {};
  std::error_code ignored;
  fs::remove(part, ignored);
  return Error{Code::corrupt, text(url, ": the file's SHA-256 is ", *sum, ", expected ", sha256)};
}

}  // namespace

Status download(const std::string& url, const fs::path& path, const std::string& sha256, const DownloadHooks& hooks) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return Error{Code::io, text(path.parent_path().string(), ": cannot make the folder: ", error.message())};
  const fs::path part = path.string() + ".part";
  TESSERA_TRY(fetch(url, part, hooks));
  TESSERA_TRY(check_sum(url, part, sha256));
  fs::rename(part, path, error);  // atomic: another process sees the whole file or none
  if (error) return Error{Code::io, text(path.string(), ": cannot rename the finished file: ", error.message())};
  return {};
}

}  // namespace tessera::cli
