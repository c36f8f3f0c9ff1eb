#pragma once
// What check_inference leaves behind: everything execute needs, nothing that points to the caller.

#include <tessera/boxdecode.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxdecode/cutoff.h"
#include "boxdecode/families/family.h"
#include "boxdecode/layout.h"
#include "boxdecode/scan/scanner.h"
#include "boxdecode/select/nms.h"

namespace tessera::boxdecode {

struct ScanJob;

/// How the box of a slot is made.
enum class BoxRule : std::uint8_t {
  AnchorGrid,  ///< combined heads: x, y, w, h relative to an anchor
  Distances,   ///< 4 channels: distances from the cell's centre to the sides, in cells
  Dfl,         ///< 4 * bins channels: a distribution over such distances per side
  Centre,      ///< YOLOX: offset from the cell's corner, log extent
};

struct HeadPlan {
  Route route = Route::CombinedDense;
  void (*scan)(const ScanJob& job) noexcept = nullptr;
  std::int32_t h = 0, w = 0;  ///< cells
  float stride = 1;
  InputPlan score;                    ///< classes; the whole head when combined
  InputPlan box, objectness;          ///< of their own where the kind has them
  InputPlan coefficients, keypoints;  ///< Segmentation, Pose
  ScoreActivation activation = ScoreActivation::Sigmoid;

  Cutoff cutoff, objectness_cutoff;   ///< what the final check alone implies for each factor
  RawInterval gate, objectness_gate;  ///< what may be skipped: the cutoffs, or nothing where factors may exceed 1
  std::uint32_t least_key = 0;        ///< the class gate as a key
  bool reject_all = false;            ///< no slot of this head can be admitted
  BoxRule box_rule = BoxRule::AnchorGrid;
  int bins = 0;                    ///< Dfl: of one side
  AnchorGrid grid;                 ///< AnchorGrid; slots = 1 for the others
  std::int32_t slot_channels = 0;  ///< combined: channels of one slot
  std::uint32_t first_slot = 0;    ///< slots of earlier heads, per image
};

/// What a task reads for selected detections only.
struct TaskPlan {
  Task task = Task::Detection;
  ImageSize model;
  InputPlan basis;  ///< Segmentation
  std::int32_t basis_h = 0, basis_w = 0;
  std::int32_t keypoint_count = 0, keypoint_dims = 0;
  bool keypoints_from_centre = false;  ///< YOLO26; the others count from the cell's corner, doubled
};

/// Bytes and alignment of one binding.
struct BufferNeed {
  std::int64_t bytes = 0, alignment = 1;
};

struct PlanData {
  std::vector<BufferNeed> inputs, outputs;
  std::vector<HeadPlan> heads;
  const Scanner* scanner = nullptr;
  TaskPlan task;

  std::int32_t classes = 0;
  float threshold = 0;
  bool multi_label = false;
  RankRule rank_rule = RankRule::Product;
  std::optional<EdgePenalty> edge_penalty;
  NmsRules nms;
  std::optional<Voting> voting;

  Mosaic mosaic;
  ImageSize tile;  ///< model size, or that of one tile of a mosaic
  ImageSize original;
  Resize resize;
  BoxEncoding encoding = BoxEncoding::CornersXyxy;
  DType box_dtype = DType::Int32;

  std::uint32_t limit = 0;         ///< candidates that can survive in one image; the workspace has 2 * limit places
  std::int64_t scratch_cells = 0;  ///< cells of the largest window whose route needs CellScratch
  std::int64_t class_scratch_bytes = 0, cell_scratch_bytes = 0, workspace_bytes = 0;

  std::int32_t images() const noexcept { return mosaic.rows * mosaic.cols; }
};

inline constexpr std::size_t kWorkspaceAlignment = 64;

}  // namespace tessera::boxdecode
