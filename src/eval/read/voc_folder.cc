#include <algorithm>
#include <set>

#include "base/text.h"
#include "eval/read/folder_dataset.h"
#include "image/image.h"

namespace tessera::eval {
namespace {

Result<FolderPhoto> read_photo(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return bytes.error();
  auto photo = parse_voc_xml(*bytes, file.string());
  if (!photo) return photo.error();
  if (photo->file.empty()) photo->file = file.stem().string() + ".jpg";
  return FolderPhoto{std::move(photo->file), std::move(photo->objects)};
}

std::vector<std::string> sorted_names(const std::vector<FolderPhoto>& photos) {
  std::set<std::string> names;
  for (const FolderPhoto& photo : photos) {
    for (const NamedObject& object : photo.objects) names.insert(object.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

Result<Dataset> read_voc_folder(const std::vector<std::filesystem::path>& files, const AnnotationOptions& options) {
  std::vector<FolderPhoto> photos;
  for (const auto& file : files) {
    auto photo = read_photo(file);
    if (!photo) return photo.error();
    photos.push_back(std::move(*photo));
  }
  const auto names = options.names.empty() ? sorted_names(photos) : options.names;
  for (std::size_t i = 0; i < photos.size(); ++i) {
    for (NamedObject& object : photos[i].objects) {
      const auto found = std::ranges::find(names, object.name);
      if (found == names.end()) {
        return Error{Code::invalid_argument,
                     text(files[i].string(), ": '", object.name, "' is none of the class names given")};
      }
      object.class_id = static_cast<int>(found - names.begin());
    }
  }
  return make_dataset(std::move(photos), names);
}

}  // namespace tessera::eval
