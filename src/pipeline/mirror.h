#pragma once
// Flip test-time augmentation: a photo and its mirror image are both looked at, and their boxes made one list.

#include <tessera/detector.h>

#include <span>
#include <vector>

#include "image/image.h"

namespace tessera {

/// The rules by which one view's boxes were chosen; they hold for both together, too.
struct MergeRules {
  float nms_iou = 0.45f;
  bool class_agnostic = false;
  int max_detections = 300;
  int max_per_class = 0;  ///< 0: no limit
};

/// Scratch of one detector; what it has grown to is kept. One call at a time.
class MirrorView {
 public:
  explicit MirrorView(const MergeRules& rules) : rules_(rules) {}

  /// The photos with their columns reversed; valid until the next call.
  std::span<const PhotoView> mirrored(std::span<const PhotoView> photos);
  /// Where the mirror images' detections go: one list per photo.
  std::span<std::vector<Detection>> found() noexcept { return found_; }
  /// Turns found()[i] back and merges it into `out`, best first: of two boxes of a class that overlap by more than
  /// nms_iou the better stays; of equals the one of the photo as it is. `width`: the photo's, in the boxes' pixels.
  void merge_into(std::size_t i, int width, std::vector<Detection>& out);

 private:
  void keep_best(std::vector<Detection>& out);
  bool crowded(std::span<const Detection> kept, const Detection& next) const noexcept;

  MergeRules rules_;
  std::vector<Image> images_;
  std::vector<PhotoView> views_;
  std::vector<std::vector<Detection>> found_;
  std::vector<Detection> merged_;
};

}  // namespace tessera
