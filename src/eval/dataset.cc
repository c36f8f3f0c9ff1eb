#include "eval/dataset.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tessera::eval {
namespace {

template <class T>
std::optional<std::int32_t> index_of(const std::vector<T>& sorted, std::int64_t id) noexcept {
  const auto found = std::ranges::lower_bound(sorted, id, std::ranges::less{}, &T::id);
  if (found == sorted.end() || found->id != id) return std::nullopt;
  return static_cast<std::int32_t>(found - sorted.begin());
}

/// New index of each kept photo, -1 of the others.
std::vector<std::int32_t> renumbered(const std::vector<bool>& keep) {
  std::vector<std::int32_t> to(keep.size(), -1);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) to[i] = next++;
  }
  return to;
}

template <class T>
std::vector<T> kept(const std::vector<T>& items, const std::vector<std::int32_t>& to) {
  std::vector<T> out;
  for (const T& item : items) {
    const std::int32_t photo = to[static_cast<std::size_t>(item.photo)];
    if (photo < 0) continue;
    out.push_back(item);
    out.back().photo = photo;
  }
  return out;
}

std::vector<std::uint32_t> indices(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

using Key = std::pair<std::int32_t, std::int32_t>;
template <class T>
Key key(const T& item) noexcept {
  return {item.category, item.photo};
}

/// Takes from `rest` the leading indices whose items have this key.
template <class T>
std::span<const std::uint32_t> take(std::span<const std::uint32_t>& rest, const std::vector<T>& items, const Key& k) {
  std::size_t n = 0;
  while (n < rest.size() && key(items[rest[n]]) == k) ++n;
  const auto taken = rest.first(n);
  rest = rest.subspan(n);
  return taken;
}

}  // namespace

std::optional<std::int32_t> Dataset::photo_with(std::int64_t id) const noexcept { return index_of(photos, id); }
std::optional<std::int32_t> Dataset::category_with(std::int64_t id) const noexcept { return index_of(categories, id); }

Dataset only_photos(const Dataset& dataset, const std::vector<bool>& keep) {
  Dataset out;
  out.categories = dataset.categories;
  out.left_out = dataset.left_out;
  out.unreadable = dataset.unreadable;
  for (std::size_t i = 0; i < dataset.photos.size(); ++i) {
    if (keep[i]) out.photos.push_back(dataset.photos[i]);
  }
  out.objects = kept(dataset.objects, renumbered(keep));
  return out;
}

Detections only_photos(const Detections& detections, const std::vector<bool>& keep) {
  Detections out;
  out.boxes = kept(detections.boxes, renumbered(keep));
  out.left_out = detections.left_out;
  if (detections.seen.empty()) return out;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) out.seen.push_back(detections.seen[i]);
  }
  return out;
}

Groups::Groups(const Dataset& dataset, const Detections& detections)
    : objects_(indices(dataset.objects.size())), detections_(indices(detections.boxes.size())) {
  const auto& objects = dataset.objects;
  const auto& boxes = detections.boxes;
  std::ranges::stable_sort(objects_, [&](auto a, auto b) { return key(objects[a]) < key(objects[b]); });
  std::ranges::stable_sort(detections_, [&](auto a, auto b) {
    return std::tuple(key(boxes[a]), -boxes[a].score) < std::tuple(key(boxes[b]), -boxes[b].score);
  });
  std::span<const std::uint32_t> objects_left = objects_, detections_left = detections_;
  while (!objects_left.empty() || !detections_left.empty()) {
    Key k;
    if (detections_left.empty()) {
      k = key(objects[objects_left[0]]);
    } else if (objects_left.empty()) {
      k = key(boxes[detections_left[0]]);
    } else {
      k = std::min(key(objects[objects_left[0]]), key(boxes[detections_left[0]]));
    }
    const auto of_objects = take(objects_left, objects, k);
    groups_.push_back({k.first, k.second, of_objects, take(detections_left, boxes, k)});
  }
}

std::span<const Group> Groups::of_category(std::int32_t category) const noexcept {
  const auto first = std::ranges::lower_bound(groups_, category, std::ranges::less{}, &Group::category);
  const auto last = std::ranges::upper_bound(groups_, category, std::ranges::less{}, &Group::category);
  return {first, last};
}

}  // namespace tessera::eval
