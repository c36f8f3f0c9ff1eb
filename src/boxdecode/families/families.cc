#include <algorithm>
#include <functional>
#include <string_view>

#include "boxdecode/families/family.h"

namespace tessera::boxdecode {
namespace {

using Kind = Head::Kind;

constexpr auto kCombined = BoxChannels::Combined, kFour = BoxChannels::Four, kDfl16 = BoxChannels::Dfl16,
               kFourOrDfl17 = BoxChannels::FourOrDfl17;
constexpr unsigned kDS = kDetection | kSegmentation, kDPS = kDetection | kPose | kSegmentation;

// Sorted by name.
constexpr Family kFamilies[] = {
    {"AnchorGridV1", Profile::AnchorGridV1, Kind::Combined, 1, 8, true, kDetection, kCombined, {}},
    {"Yolo11V1", Profile::Yolo11V1, Kind::Pair, 1, 3, true, kDPS, kDfl16, {}},
    {"Yolo26RawLtrb", Profile::Yolo26RawLtrb, Kind::Pair, 1, 3, false, kDPS, kFour, {}},
    {"YoloV10V1", Profile::YoloV10V1, Kind::Pair, 1, 3, false, kDetection, kDfl16, {}},
    {"YoloV3V1", Profile::YoloV3V1, Kind::Combined, 3, 3, true, kDetection, kCombined, kYoloV3Levels},
    {"YoloV4V1", Profile::YoloV4V1, Kind::Combined, 3, 3, true, kDetection, kCombined, kYoloV4Levels},
    {"YoloV5V1", Profile::YoloV5V1, Kind::Combined, 3, 3, true, kDS, kCombined, kYoloV5Levels},
    {"YoloV6V1", Profile::YoloV6V1, Kind::Pair, 1, 3, true, kDetection, kFourOrDfl17, {}},
    {"YoloV7TinyV1", Profile::YoloV7TinyV1, Kind::Combined, 3, 3, true, kDS, kCombined, kYoloV7TinyLevels},
    {"YoloV7V1", Profile::YoloV7V1, Kind::Combined, 3, 3, true, kDS, kCombined, kYoloV7Levels},
    {"YoloV8V1", Profile::YoloV8V1, Kind::Pair, 1, 3, true, kDPS, kDfl16, {}},
    {"YoloV9V1", Profile::YoloV9V1, Kind::Pair, 1, 3, true, kDS, kDfl16, {}},
    {"YoloXV1", Profile::YoloXV1, Kind::Objectness, 1, 3, true, kDetection, kFour, {}},
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
