#include "model/families.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace tessera {
namespace {

constexpr HeadFamily combined(std::string_view name, bool has_anchors) {
  return {name, HeadForm::combined, {0, 0}, false, has_anchors};
}
constexpr HeadFamily pair(std::string_view name, std::array<int, 2> box_channels, bool end_to_end = false) {
  return {name, HeadForm::pair, box_channels, end_to_end, false};
}

// Sides as distances take 4 channels, as distributions over 16 or 17 bins 64 or 68.
constexpr HeadFamily kFamilies[] = {
    combined("anchor-grid", false),
    pair("yolo11", {64, 0}),
    pair("yolo26", {4, 0}, true),
    pair("yolov10", {64, 0}, true),
    combined("yolov3", true),
    combined("yolov4", true),
    combined("yolov5", true),
    pair("yolov6", {4, 68}),
    combined("yolov7", true),
    combined("yolov7-tiny", true),
    pair("yolov8", {64, 0}),
    pair("yolov9", {64, 0}),
    {"yolox", HeadForm::objectness, {4, 0}, false, false},
};
static_assert(std::ranges::is_sorted(kFamilies, std::ranges::less{}, &HeadFamily::name));

}  // namespace

std::span<const HeadFamily> head_families() { return kFamilies; }

const HeadFamily* find_head_family(std::string_view name) {
  const auto found = std::ranges::find(kFamilies, name, &HeadFamily::name);
  return found == std::end(kFamilies) ? nullptr : found;
}

std::string head_family_names() {
  std::string out;
  for (const HeadFamily& family : kFamilies) append_text(out, text(out.empty() ? "" : ", ", family.name));
  return out;
}

}  // namespace tessera
