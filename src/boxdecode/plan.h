#pragma once
// What check_inference leaves behind: everything execute needs, nothing that points to the caller.

#include <tessera/boxdecode.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxdecode/cutoff.h"
#include "boxdecode/families/family.h"
#include "boxdecode/scan/scanner.h"
#include "boxdecode/select/nms.h"

namespace tessera::boxdecode {

struct ScanJob;

/// Addresses of one dense tensor: address(y, x, c) = y * row + x * pixel + c * element.
struct DenseAddress {
  std::int64_t row = 0, pixel = 0, element = 0;
};

struct HeadPlan {
  Route route = Route::CombinedDense;
  void (*scan)(const ScanJob& job) noexcept = nullptr;
  std::int32_t port = 0;
  std::int32_t h = 0, w = 0;  ///< cells
  DenseAddress address;
  Quant quant;
  ScoreActivation activation = ScoreActivation::Sigmoid;
  Cutoff cutoff;     ///< what the final check alone implies, for introspection
  RawInterval gate;  ///< what may be skipped: the cutoff under Sigmoid, nothing under Identity
  bool reject_all = false;
  float stride = 1;
  AnchorGrid grid;
  std::uint32_t first_slot = 0;  ///< slots of earlier heads, per image
};

/// Bytes and alignment of one binding.
struct BufferNeed {
  std::int64_t bytes = 0, alignment = 1;
};

struct PlanData {
  std::vector<BufferNeed> inputs, outputs;
  std::vector<HeadPlan> heads;
  const Scanner* scanner = nullptr;

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

  std::uint32_t limit = 0;  ///< candidates that can survive in one image; the workspace has 2 * limit places
  std::int64_t class_scratch_bytes = 0, workspace_bytes = 0;

  std::int32_t images() const noexcept { return mosaic.rows * mosaic.cols; }
};

inline constexpr std::size_t kWorkspaceAlignment = 64;

}  // namespace tessera::boxdecode
