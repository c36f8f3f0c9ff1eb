#include <array>

#include "base/text.h"
#include "eval/json_records.h"
#include "eval/read/coco_box.h"
#include "eval/read/readers.h"

namespace tessera::eval {
namespace {

Result<std::int32_t> want_photo(const JsonValue& value, std::string_view name, const Dataset& dataset) {
  const auto id = want_whole(value, name);
  if (!id) return id.error();
  const auto photo = dataset.photo_with(*id);
  if (photo) return *photo;
  return Error{Code::corrupt, text(name, " ", *id, " is no image of the annotations")};
}

/// Members: image_id category_id bbox score.
Status add_detection(JsonRecord record, const Dataset& dataset, Detections& out) {
  const auto photo = want_photo(record[0], "image_id", dataset);
  if (!photo) return photo.error();
  const auto category = want_whole(record[1], "category_id");
  if (!category) return category.error();
  const auto box = want_box(record[2]);
  if (!box) return box.error();
  const auto score = want_number(record[3], "score");
  if (!score) return score.error();
  if (const auto index = dataset.category_with(*category)) {
    out.boxes.push_back({*photo, *index, *box, *score});
  } else {
    ++out.left_out;
  }
  return {};
}

}  // namespace

Result<Detections> parse_coco_results(std::span<const std::byte> json, std::string_view label, const Dataset& dataset) {
  Detections out;
  std::vector<bool> seen(dataset.photos.size());
  const std::vector<std::string_view> members{"image_id", "category_id", "bbox", "score"};
  const auto element = [&](JsonRecord r) { return add_detection(r, dataset, out); };
  const auto saw = [&](JsonRecord r) -> Status {
    const auto photo = want_photo(r[0], "photo", dataset);
    if (!photo) return photo.error();
    seen[static_cast<std::size_t>(*photo)] = true;
    return {};
  };
  std::array<JsonSection, 3> sections{JsonSection{"", members, element}, JsonSection{"detections", members, element},
                                      JsonSection{"photos", {}, saw}};
  TESSERA_TRY(read_json_records(json, label, sections));
  if (!sections[0].found && !sections[1].found) {
    return Error{Code::corrupt, text(label, ": is neither an array of COCO results nor a saved run")};
  }
  if (sections[2].found) out.seen = std::move(seen);
  return out;
}

}  // namespace tessera::eval
