#pragma once
// What is scored: photos, the objects in them, and what a detector said about them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::eval {

/// xywh in pixels of the photo.
struct Box {
  double x = 0, y = 0, w = 0, h = 0;
  double area() const noexcept { return w * h; }
  bool operator==(const Box&) const = default;
};

struct Category {
  std::int64_t id = 0;
  std::string name;
};

struct Photo {
  std::int64_t id = 0;
  std::string file;  ///< as the annotations call it
};

/// One annotated object.
struct Object {
  std::int32_t photo = 0, category = 0;  ///< indices into Dataset
  Box box;
  double area = 0;         ///< of its outline where the annotations know it, else of its box
  bool crowd = false;      ///< a region of many: takes any number of detections, counts neither for nor against
  bool difficult = false;  ///< VOC: counts neither for nor against in VOC figures
  /// False for annotation id 0 alone: pycocotools 2.0 keeps the id of the matched object as the mark "matched", so a
  /// match with id 0 counts as none, in every published figure. The same here, so that figures agree.
  bool match_counts = true;
};

/// Photos and categories are sorted by id; objects stand in the order of their file, which decides ties.
struct Dataset {
  std::vector<Category> categories;
  std::vector<Photo> photos;
  std::vector<Object> objects;
  std::size_t left_out = 0;             ///< annotations of photos or categories that are not listed
  std::vector<std::string> unreadable;  ///< photos left out because their size could not be read, each with the reason

  std::optional<std::int32_t> photo_with(std::int64_t id) const noexcept;
  std::optional<std::int32_t> category_with(std::int64_t id) const noexcept;
};

/// One detection.
struct Scored {
  std::int32_t photo = 0, category = 0;
  Box box;
  double score = 0;
  bool operator==(const Scored&) const = default;
};

/// What one run said, in its order, which decides ties of score.
struct Detections {
  std::vector<Scored> boxes;
  std::vector<bool> seen;    ///< by photo: the run looked at it; empty: at all
  std::size_t left_out = 0;  ///< of categories that the annotations do not list
};

/// Whether the run looked at a photo.
inline bool has_seen(const Detections& detections, std::size_t photo) {
  return detections.seen.empty() || detections.seen[photo];
}

/// The dataset without the photos that `keep` denies; keep has one entry per photo.
Dataset only_photos(const Dataset& dataset, const std::vector<bool>& keep);
/// The run on what only_photos(dataset, keep) leaves.
Detections only_photos(const Detections& detections, const std::vector<bool>& keep);

/// The objects and detections of one category in one photo, as indices. Detections best first; equal scores in their
/// order. Groups without either do not exist.
struct Group {
  std::int32_t category = 0, photo = 0;
  std::span<const std::uint32_t> objects, detections;
};

/// All groups, by category, then photo. Holds indices only; as large as objects and detections together.
class Groups {
 public:
  Groups(const Dataset& dataset, const Detections& detections);
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  std::span<const Group> all() const noexcept { return groups_; }
  std::span<const Group> of_category(std::int32_t category) const noexcept;

 private:
  std::vector<std::uint32_t> objects_, detections_;
  std::vector<Group> groups_;
};

}  // namespace tessera::eval
