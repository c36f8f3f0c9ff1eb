#pragma once
// A model as read from a file: the graph, how to prepare its input, and what its outputs mean.

#include <tessera/result.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tessera {

enum class ResizeMode { stretch, letterbox };
enum class ColorOrder { rgb, bgr };

/// The preprocessing contract, stored with the model: tensor = (pixel * scale - mean[c]) / std[c].
struct Preprocess {
  int width = 0, height = 0, channels = 3;  ///< network input
  ResizeMode resize = ResizeMode::stretch;
  std::uint8_t fill = 128;  ///< letterbox border (Darknet: 0.5 of the range)
  ColorOrder order = ColorOrder::rgb;
  float scale = 1.0f / 255.0f;
  std::array<float, 3> mean{0, 0, 0}, std{1, 1, 1};
};

/// One raw head of an anchor-grid detector ([yolo] in Darknet).
struct AnchorHead {
  ValueId output = kNone;                     ///< HxWx(slots * (classes + 5))
  std::vector<std::array<float, 2>> anchors;  ///< (width, height) in model pixels, one per slot
  float scale_xy = 1.0f;
  bool new_coords = false;
};

/// What the outputs mean, when the model is a detector.
struct DetectorSpec {
  std::string family;  ///< "anchor-grid"
  int classes = 0;
  std::vector<AnchorHead> heads;  ///< same order as graph.outputs
  float nms_iou = 0.45f;          ///< the file's own hint, if any
};

struct Model {
  std::string name;
  std::string format;  ///< "darknet", "native"
  Graph graph;         ///< shapes inferred, verified
  Preprocess preprocess;
  std::optional<DetectorSpec> detector;
  std::vector<std::string> class_names;  ///< empty, or exactly detector->classes
};

}  // namespace tessera
