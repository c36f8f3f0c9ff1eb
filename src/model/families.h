#pragma once
// The families of detector heads by name: which tensors a level has. What their numbers mean is BoxDecode's business
// (docs/boxdecode.md).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

enum class HeadForm : std::uint8_t {
  combined,    ///< HxWx(slots * (5 + classes))
  pair,        ///< box and scores
  objectness,  ///< box, objectness and scores
};

struct HeadFamily {
  std::string_view name;  ///< "yolov8"
  HeadForm form = HeadForm::combined;
  std::array<int, 2> box_channels{0, 0};  ///< of the box tensor; 0: no second choice, or a combined tensor
  bool end_to_end = false;                ///< trained to give one box per object: no suppression unless it is asked for
  bool has_anchors = false;               ///< combined: anchors of its own, where the heads bring none (P3, P4, P5)
};

std::span<const HeadFamily> head_families();  ///< sorted by name
const HeadFamily* find_head_family(std::string_view name);
std::string head_family_names();  ///< "anchor-grid, yolo11, ..."

}  // namespace tessera
