#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "eval/json_records.h"
#include "eval/read/coco_box.h"
#include "eval/read/readers.h"

namespace tessera::eval {
namespace {

/// An annotation whose photo and category are still ids: they may stand later in the file.
struct RawObject {
  std::int64_t photo, category;
  Object object;
};

Status add_image(JsonRecord record, Dataset& out) {
  const auto id = want_whole(record[0], "id");
  if (!id) return id.error();
  out.photos.push_back({*id, record[1].text});
  return {};
}

Status add_category(JsonRecord record, Dataset& out) {
  const auto id = want_whole(record[0], "id");
  if (!id) return id.error();
  out.categories.push_back({*id, record[1].text.empty() ? text("category ", *id) : record[1].text});
  return {};
}

/// Members: image_id category_id bbox area iscrowd id.
Status add_object(JsonRecord record, std::vector<RawObject>& out, std::vector<std::int64_t>& ids) {
  const auto photo = want_whole(record[0], "image_id"), category = want_whole(record[1], "category_id");
  if (!photo) return photo.error();
  if (!category) return category.error();
  const auto box = want_box(record[2]);
  if (!box) return box.error();
  Object object{.box = *box, .area = box->area()};
  if (record[3].kind != JsonValue::Kind::absent) {
    const auto area = want_number(record[3], "area");
    if (!area) return area.error();
    object.area = *area;
  }
  object.crowd = record[4].number != 0;
  if (record[5].kind != JsonValue::Kind::absent) {
    const auto id = want_whole(record[5], "id");
    if (!id) return id.error();
    ids.push_back(*id);
    object.match_counts = *id != 0;
  }
  out.push_back({*photo, *category, object});
  return {};
}

Status want_distinct(std::vector<std::int64_t> ids, std::string_view label, std::string_view of) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return Error{Code::corrupt, text(label, ": ", of, ": id ", *twice, " is there twice")};
}

template <class T>
Status sort_by_id(std::vector<T>& items, std::string_view label, std::string_view of) {
  std::ranges::stable_sort(items, std::ranges::less{}, &T::id);
  std::vector<std::int64_t> ids;
  for (const T& item : items) ids.push_back(item.id);
  return want_distinct(std::move(ids), label, of);
}

void resolve(const std::vector<RawObject>& raw, Dataset& out) {
  for (const RawObject& r : raw) {
    const auto photo = out.photo_with(r.photo), category = out.category_with(r.category);
    if (!photo || !category) {
      ++out.left_out;
      continue;
    }
    out.objects.push_back(r.object);
    out.objects.back().photo = *photo;
    out.objects.back().category = *category;
  }
}

}  // namespace

Result<Dataset> parse_coco_annotations(std::span<const std::byte> json, std::string_view label) {
  Dataset out;
  std::vector<RawObject> raw;
  std::vector<std::int64_t> ids;
  std::array<JsonSection, 3> sections{
      JsonSection{"images", {"id", "file_name"}, [&](JsonRecord r) { return add_image(r, out); }},
      JsonSection{"categories", {"id", "name"}, [&](JsonRecord r) { return add_category(r, out); }},
      JsonSection{"annotations", {"image_id", "category_id", "bbox", "area", "iscrowd", "id"}, [&](JsonRecord r) {
                    return add_object(r, raw, ids);
                  }}};
  TESSERA_TRY(read_json_records(json, label, sections));
  for (const JsonSection& section : sections) {
    if (section.found) continue;
    return Error{Code::corrupt, text(label, ": has no '", section.name, "': want COCO annotations")};
  }
  TESSERA_TRY(sort_by_id(out.photos, label, "images"));
  TESSERA_TRY(sort_by_id(out.categories, label, "categories"));
  TESSERA_TRY(want_distinct(std::move(ids), label, "annotations"));
  resolve(raw, out);
  return out;
}

}  // namespace tessera::eval
