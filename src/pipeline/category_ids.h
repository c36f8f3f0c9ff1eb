#pragma once
// The numbers that COCO files use: category ids of classes, image ids of photos.

#include <tessera/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// What is used of a COCO annotations file.
struct CocoIndex {
  std::map<std::string, std::int64_t, std::less<>> categories;  ///< by name
  std::map<std::string, std::int64_t, std::less<>> images;      ///< by file_name
};
/// The text of a whole file. corrupt when it is no COCO annotations file.
Result<CocoIndex> parse_coco_index(std::span<const std::byte> json);
/// not_found, io, corrupt, limit_exceeded above 1 GiB; the text names the path.
Result<CocoIndex> read_coco_index(const std::filesystem::path& annotations);

/// class_id -> category_id.
class CategoryIds {
 public:
  /// With annotations: by name, in either of COCO's spellings; a class that the file does not have is invalid_argument.
  /// Without: the official ids 1..90 when the model's classes are the 80 of COCO (Darknet's spellings too), else
  /// class_id + 1.
  static Result<CategoryIds> create(std::span<const std::string> names, int classes, const CocoIndex* annotations);
  std::int64_t operator[](std::int32_t class_id) const { return ids_[static_cast<std::size_t>(class_id)]; }

 private:
  explicit CategoryIds(std::vector<std::int64_t> ids) : ids_(std::move(ids)) {}
  std::vector<std::int64_t> ids_;
};

/// Photo -> image_id.
class ImageIds {
 public:
  ImageIds() = default;  ///< by the digits that end the file's stem: COCO_val2014_000000000139.jpg is 139
  explicit ImageIds(std::map<std::string, std::int64_t, std::less<>> by_name) : by_name_(std::move(by_name)) {}
  /// invalid_argument when the name ends in no number, or the annotations do not list the photo.
  Result<std::int64_t> find(std::string_view photo) const;

 private:
  std::optional<std::map<std::string, std::int64_t, std::less<>>> by_name_;
};

/// COCO's id of a class name ("person" 1 ... "toothbrush" 90), also in Darknet's spelling ("sofa"); nullopt: not COCO.
std::optional<std::int64_t> official_coco_id(std::string_view name) noexcept;

}  // namespace tessera
