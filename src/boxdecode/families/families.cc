#include <algorithm>
#include <functional>
#include <string_view>

#include "boxdecode/families/family.h"

namespace tessera::boxdecode {
namespace {

using Kind = Head::Kind;

// Sorted by name. Families that are not built yet are listed so that they can be named and refused.
constexpr Family kFamilies[] = {
    {"AnchorGridV1", Profile::AnchorGridV1, true, Kind::Combined, 1, 8, true, {}},
    {"Yolo11V1", Profile::Yolo11V1, false, Kind::Pair, 1, 3, true, {}},
    {"Yolo26RawLtrb", Profile::Yolo26RawLtrb, false, Kind::Pair, 1, 3, false, {}},
    {"YoloV10V1", Profile::YoloV10V1, false, Kind::Pair, 1, 3, false, {}},
    {"YoloV3V1", Profile::YoloV3V1, true, Kind::Combined, 3, 3, true, kYoloV3Levels},
    {"YoloV4V1", Profile::YoloV4V1, true, Kind::Combined, 3, 3, true, kYoloV4Levels},
    {"YoloV5V1", Profile::YoloV5V1, true, Kind::Combined, 3, 3, true, kYoloV5Levels},
    {"YoloV6V1", Profile::YoloV6V1, false, Kind::Pair, 1, 3, true, {}},
    {"YoloV7TinyV1", Profile::YoloV7TinyV1, true, Kind::Combined, 3, 3, true, kYoloV7TinyLevels},
    {"YoloV7V1", Profile::YoloV7V1, true, Kind::Combined, 3, 3, true, kYoloV7Levels},
    {"YoloV8V1", Profile::YoloV8V1, false, Kind::Pair, 1, 3, true, {}},
    {"YoloV9V1", Profile::YoloV9V1, false, Kind::Pair, 1, 3, true, {}},
    {"YoloXV1", Profile::YoloXV1, false, Kind::Objectness, 1, 3, true, {}},
};
constexpr auto kName = [](const Family& family) { return std::string_view(family.name); };
static_assert(std::ranges::is_sorted(kFamilies, std::ranges::less{}, kName));

}  // namespace

std::span<const Family> families() noexcept { return kFamilies; }

const Family* find_family(Profile profile) noexcept {
  const auto* found = std::ranges::find(kFamilies, profile, &Family::profile);
  return found == std::end(kFamilies) ? nullptr : found;
}

const char* to_string(Profile profile) noexcept {
  const Family* family = find_family(profile);
  return family ? family->name : "None";
}

}  // namespace tessera::boxdecode
