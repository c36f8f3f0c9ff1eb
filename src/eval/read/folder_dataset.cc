#include "eval/read/folder_dataset.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <system_error>

#include "base/text.h"
#include "pipeline/category_ids.h"
#include "pipeline/natural_order.h"

namespace tessera::eval {
namespace {

/// The numbers that end the names, or 1, 2 ... when a name has none or two have the same.
std::vector<std::int64_t> photo_ids(const std::vector<FolderPhoto>& photos) {
  const ImageIds by_digits;
  std::vector<std::int64_t> ids;
  for (const FolderPhoto& photo : photos) {
    const auto id = by_digits.find(photo.file);
    if (!id) break;
    ids.push_back(*id);
  }
  const std::set<std::int64_t> distinct(ids.begin(), ids.end());
  if (distinct.size() == photos.size()) return ids;
  ids.resize(photos.size());
  std::iota(ids.begin(), ids.end(), 1);
  return ids;
}

/// Sorts by id and gives, for each old index, the new one.
template <class T>
std::vector<std::int32_t> sort_by_id(std::vector<T>& items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::less{}, [&](std::size_t i) { return items[i].id; });
  std::vector<T> sorted;
  std::vector<std::int32_t> to(items.size());
  for (const std::size_t i : order) {
    to[i] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(items[i]));
  }
  items = std::move(sorted);
  return to;
}

}  // namespace

Result<Dataset> make_dataset(std::vector<FolderPhoto> photos, const std::vector<std::string>& names) {
  Dataset out;
  const auto ids = CategoryIds::create(names, static_cast<int>(names.size()), nullptr);
  if (!ids) return ids.error();
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.categories.push_back({(*ids)[static_cast<std::int32_t>(i)], names[i]});
  }
  const auto numbers = photo_ids(photos);
  for (std::size_t i = 0; i < photos.size(); ++i) out.photos.push_back({numbers[i], photos[i].file});
  const auto category = sort_by_id(out.categories), photo = sort_by_id(out.photos);
  for (std::size_t i = 0; i < photos.size(); ++i) {
    for (const NamedObject& o : photos[i].objects) {
      out.objects.push_back({.photo = photo[i],
                             .category = category[static_cast<std::size_t>(o.class_id)],
                             .box = o.box,
                             .area = o.box.area(),
                             .difficult = o.difficult});
    }
  }
  return out;
}

Result<std::vector<std::filesystem::path>> files_with(const std::filesystem::path& folder, std::string_view extension) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  std::filesystem::directory_iterator entries(folder, failed), end;
  for (; !failed && entries != end; entries.increment(failed)) {
    if (entries->path().extension() == extension) files.push_back(entries->path());
  }
  if (failed) return Error{Code::io, text(folder.string(), ": ", failed.message())};
  std::ranges::sort(files, [](const auto& a, const auto& b) { return natural_less(a.native(), b.native()); });
  return files;
}

}  // namespace tessera::eval
