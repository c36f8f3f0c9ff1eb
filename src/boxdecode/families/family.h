#pragma once
// What a profile fixes: kind and number of heads, tasks, geometry rules.

#include <tessera/boxdecode/params.h>

#include <cstdint>
#include <span>

namespace tessera::boxdecode {

/// Geometry of one combined head, resolved from a profile or from Params::anchor_grid.
struct AnchorGrid {
  static constexpr int kMaxSlots = 16;
  AnchorLevel::Formula formula = AnchorLevel::Formula::Exp;
  bool activated = false;  ///< x, y, w, h are stored after the sigmoid (Square only)
  float scale = 1.0f, offset = 0.0f;
  int slots = 0;
  float anchors[kMaxSlots][2] = {};
};

/// Scale, offset and anchors of one level of a fixed profile.
struct FixedLevel {
  AnchorLevel::Formula formula;
  float scale, offset;
  float anchors[3][2];
};

/// Tasks of a family, as bits.
inline constexpr unsigned kDetection = 1, kPose = 2, kSegmentation = 4;

/// How a pair or objectness family stores boxes.
enum class BoxChannels : std::uint8_t { Combined, Four, Dfl16, FourOrDfl17 };

struct Family {
  const char* name;
  Profile profile;
  Head::Kind kind;
  std::int32_t min_heads, max_heads;
  bool nms_at_zero;  ///< at T_nms = 0 ordinary NMS runs; otherwise it is skipped
  unsigned tasks;
  BoxChannels box;
  std::span<const FixedLevel> levels;  ///< of a combined family with fixed anchors; strides are then 8, 16, 32
};

std::span<const Family> families() noexcept;  ///< sorted by name; families.cc
const Family* find_family(Profile profile) noexcept;

extern const FixedLevel kYoloV3Levels[3], kYoloV4Levels[3], kYoloV5Levels[3], kYoloV7Levels[3], kYoloV7TinyLevels[3];

}  // namespace tessera::boxdecode
