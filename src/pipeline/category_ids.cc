#include "pipeline/category_ids.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text.h"
#include "image/image.h"

namespace tessera {
namespace {

struct OfficialId {
  std::string_view name;
  std::int64_t id;
};
// Source: Lin et al. 2014, Microsoft COCO (arXiv:1405.0312) and its instances_val2017.json; the second spelling of six
// classes is that of Pascal VOC, which Darknet's coco.names keeps. Sorted by name.
constexpr OfficialId kOfficial[] = {
    {"aeroplane", 5},
    {"airplane", 5},
    {"apple", 53},
    {"backpack", 27},
    {"banana", 52},
    {"baseball bat", 39},
    {"baseball glove", 40},
    {"bear", 23},
    {"bed", 65},
    {"bench", 15},
    {"bicycle", 2},
    {"bird", 16},
    {"boat", 9},
    {"book", 84},
    {"bottle", 44},
    {"bowl", 51},
    {"broccoli", 56},
    {"bus", 6},
    {"cake", 61},
    {"car", 3},
    {"carrot", 57},
    {"cat", 17},
    {"cell phone", 77},
    {"chair", 62},
    {"clock", 85},
    {"couch", 63},
    {"cow", 21},
    {"cup", 47},
    {"dining table", 67},
    {"diningtable", 67},
    {"dog", 18},
    {"donut", 60},
    {"elephant", 22},
    {"fire hydrant", 11},
    {"fork", 48},
    {"frisbee", 34},
    {"giraffe", 25},
    {"hair drier", 89},
    {"handbag", 31},
    {"horse", 19},
    {"hot dog", 58},
    {"keyboard", 76},
    {"kite", 38},
    {"knife", 49},
    {"laptop", 73},
    {"microwave", 78},
    {"motorbike", 4},
    {"motorcycle", 4},
    {"mouse", 74},
    {"orange", 55},
    {"oven", 79},
    {"parking meter", 14},
    {"person", 1},
    {"pizza", 59},
    {"potted plant", 64},
    {"pottedplant", 64},
    {"refrigerator", 82},
    {"remote", 75},
    {"sandwich", 54},
    {"scissors", 87},
    {"sheep", 20},
    {"sink", 81},
    {"skateboard", 41},
    {"skis", 35},
    {"snowboard", 36},
    {"sofa", 63},
    {"spoon", 50},
    {"sports ball", 37},
    {"stop sign", 13},
    {"suitcase", 33},
    {"surfboard", 42},
    {"teddy bear", 88},
    {"tennis racket", 43},
    {"tie", 32},
    {"toaster", 80},
    {"toilet", 70},
    {"toothbrush", 90},
    {"traffic light", 10},
    {"train", 7},
    {"truck", 8},
    {"tv", 72},
    {"tvmonitor", 72},
    {"umbrella", 28},
    {"vase", 86},
    {"wine glass", 46},
    {"zebra", 24},
};
static_assert(std::ranges::is_sorted(kOfficial, std::ranges::less{}, &OfficialId::name));

using Json = nlohmann::json;

/// name -> id of an array of objects; entries without both are left out.
std::map<std::string, std::int64_t, std::less<>> ids_by(const Json& root, const char* array, const char* key) {
  std::map<std::string, std::int64_t, std::less<>> ids;
  const auto entries = root.find(array);
  if (entries == root.end() || !entries->is_array()) return ids;
  for (const Json& entry : *entries) {
    if (!entry.is_object()) continue;
    const auto id = entry.find("id"), name = entry.find(key);
    if (id == entry.end() || name == entry.end() || !id->is_number_integer() || !name->is_string()) continue;
    ids.emplace(name->get<std::string>(), id->get<std::int64_t>());
  }
  return ids;
}

std::optional<std::vector<std::int64_t>> official_ids(std::span<const std::string> names) {
  std::vector<std::int64_t> ids;
  for (const std::string& name : names) {
    const auto id = official_coco_id(name);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  const std::set<std::int64_t> distinct(ids.begin(), ids.end());
  if (distinct.size() != 80) return std::nullopt;
  return ids;
}

/// The category of this name, or of COCO's other spelling of it ("sofa", "couch").
std::optional<std::int64_t> category_of(const CocoIndex& index, const std::string& name) {
  if (const auto found = index.categories.find(name); found != index.categories.end()) return found->second;
  const auto official = official_coco_id(name);
  for (const auto& [other, id] : index.categories) {
    if (official && official_coco_id(other) == official) return id;
  }
  return std::nullopt;
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::optional<std::int64_t> official_coco_id(std::string_view name) noexcept {
  const auto* found = std::ranges::lower_bound(kOfficial, name, std::ranges::less{}, &OfficialId::name);
  if (found == std::end(kOfficial) || found->name != name) return std::nullopt;
  return found->id;
}

Result<CocoIndex> parse_coco_index(std::span<const std::byte> json) {
  const auto* begin = reinterpret_cast<const char*>(json.data());
  const Json root = Json::parse(begin, begin + json.size(), nullptr, false);  // its stack is on the heap
  if (root.is_discarded() || !root.is_object()) {
    return Error{Code::corrupt, "is not a JSON object: want COCO annotations"};
  }
  CocoIndex index{ids_by(root, "categories", "name"), ids_by(root, "images", "file_name")};
  if (index.categories.empty() || index.images.empty()) {
    return Error{Code::corrupt, "has no 'categories' or no 'images': want COCO annotations"};
  }
  return index;
}

Result<CocoIndex> read_coco_index(const std::filesystem::path& annotations) {
  const auto bytes = read_file(annotations);
  if (!bytes) return bytes.error();
  auto index = parse_coco_index(*bytes);
  if (!index) return Error{index.error().code, text(annotations.string(), ": ", index.error().message)};
  return index;
}

Result<CategoryIds> CategoryIds::create(std::span<const std::string> names, int classes, const CocoIndex* annotations) {
  std::vector<std::int64_t> ids;
  if (annotations) {
    if (names.empty()) return Error{Code::invalid_argument, "annotations: the model has no class names: give --names"};
    for (const std::string& name : names) {
      const auto id = category_of(*annotations, name);
      if (!id) {
        return Error{Code::invalid_argument,
                     text("annotations: no category is called '", name, "' as the model's class")};
      }
      ids.push_back(*id);
    }
    return CategoryIds(std::move(ids));
  }
  if (auto official = official_ids(names)) return CategoryIds(std::move(*official));
  for (int i = 0; i < classes; ++i) ids.push_back(i + 1);
  return CategoryIds(std::move(ids));
}

Result<std::int64_t> ImageIds::find(std::string_view photo) const {
  if (by_name_) {
    auto found = by_name_->find(photo);
    if (found == by_name_->end()) found = by_name_->find(file_name(photo));
    if (found != by_name_->end()) return found->second;
    return Error{Code::invalid_argument, text(photo, ": the annotations list no image of this name")};
  }
  std::string_view stem = file_name(photo);
  if (const auto dot = stem.find_last_of('.'); dot != std::string_view::npos && dot > 0) stem = stem.substr(0, dot);
  const std::size_t digits = stem.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  std::int64_t id = 0;
  const auto [end, status] = std::from_chars(stem.data() + digits, stem.data() + stem.size(), id);
  if (status != std::errc() || end == stem.data() + digits) {
    return Error{Code::invalid_argument, text(photo, ": the name ends in no image id: give --annotations")};
  }
  return id;
}

}  // namespace tessera
