#include <algorithm>
#include <map>

#include "base/text.h"
#include "eval/read/folder_dataset.h"
#include "eval/read/numbers.h"
#include "image/image.h"
#include "pipeline/folder.h"

namespace tessera::eval {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kNamesFile = "classes.txt";  // as label editors leave it among the labels

Result<std::string> read_text(const fs::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return bytes.error();
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<std::string>> read_names(const fs::path& file) {
  const auto content = read_text(file);
  if (!content) return content.error();
  std::vector<std::string> names;
  for (std::string_view rest = trimmed(*content); !rest.empty();) {
    const auto end = rest.find('\n');
    names.emplace_back(trimmed(rest.substr(0, end)));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return names;
}

/// The largest class id, or -1.
int last_class(const std::vector<FolderPhoto>& photos) {
  int last = -1;
  for (const FolderPhoto& photo : photos) {
    for (const NamedObject& object : photo.objects) last = std::max(last, object.class_id);
  }
  return last;
}

class FolderReader {
 public:
  explicit FolderReader(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
      if (file.filename() == kNamesFile) {
        names_file_ = file;
      } else {
        labels_.emplace(file.stem().string(), file);
      }
    }
  }

  /// The photo with its objects, if it has any. An unreadable photo is noted and left out.
  Status photo(const fs::path& file) {
    const auto label = labels_.find(file.stem().string());
    FolderPhoto photo{file.filename().string(), {}};
    if (label != labels_.end()) {
      const fs::path text_file = label->second;
      labels_.erase(label);
      const auto info = size_of(file);
      if (!info) {
        unreadable_.push_back(info.error().message);
        return {};
      }
      const auto content = read_text(text_file);
      if (!content) return content.error();
      auto objects = parse_yolo_text(*content, text_file.string(), info->width, info->height);
      if (!objects) return objects.error();
      photo.objects = std::move(*objects);
    }
    photos_.push_back(std::move(photo));
    return {};
  }

  Result<Dataset> dataset(const AnnotationOptions& options) {
    std::vector<std::string> names = options.names;
    if (names.empty() && !names_file_.empty()) {
      auto own = read_names(names_file_);
      if (!own) return own.error();
      names = std::move(*own);
    }
    if (names.empty()) names = options.model_names;
    const int last = last_class(photos_);
    if (names.empty()) {
      for (int i = 0; i <= last; ++i) names.push_back(text("class ", i));
    } else if (last >= static_cast<int>(names.size())) {
      return Error{Code::invalid_argument, text("labels: class ", last, " is used, but only ", names.size(),
                                                " classes have names: give the names file of these labels")};
    }
    auto out = make_dataset(std::move(photos_), names);
    if (!out) return out;
    out->left_out = labels_.size();
    out->unreadable = std::move(unreadable_);
    return out;
  }

 private:
  static Result<ImageInfo> size_of(const fs::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return bytes.error();
    auto info = probe_image(*bytes);
    if (!info) return Error{info.error().code, text(file.string(), ": ", info.error().message)};
    return info;
  }

  std::map<std::string, fs::path> labels_;  // by stem; what is left has no photo
  fs::path names_file_;
  std::vector<FolderPhoto> photos_;
  std::vector<std::string> unreadable_;
};

}  // namespace

Result<Dataset> read_yolo_folder(const std::vector<fs::path>& files, const AnnotationOptions& options) {
  if (options.images.empty()) {
    return Error{Code::invalid_argument, "YOLO text knows no photo sizes: give the folder of photos too"};
  }
  const auto listing = list_folder(options.images);
  if (!listing) return listing.error();
  FolderReader reader(files);
  for (const fs::path& photo : listing->files) TESSERA_TRY(reader.photo(photo));
  return reader.dataset(options);
}

}  // namespace tessera::eval
