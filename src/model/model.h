#pragma once
// A model as read from a file: the graph, how to prepare its input, and what its outputs mean.

#include <tessera/result.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "tensor/axis_order.h"

namespace tessera {

enum class ResizeMode { stretch, letterbox };
enum class PhotoAlign { center, top_left };  ///< where a letterboxed photo lies
enum class ColorOrder { rgb, bgr };

/// The preprocessing contract, stored with the model: tensor = (pixel * scale - mean[c]) / std[c].
struct Preprocess {
  int width = 0, height = 0, channels = 3;  ///< network input
  ResizeMode resize = ResizeMode::stretch;
  PhotoAlign align = PhotoAlign::center;
  std::uint8_t fill = 128;  ///< letterbox border (Darknet: 0.5 of the range)
  ColorOrder order = ColorOrder::rgb;
  float scale = 1.0f / 255.0f;
  std::array<float, 3> mean{0, 0, 0}, std{1, 1, 1};
};

/// One level of a detector: the graph outputs that hold it, and its geometry.
struct DetectorHead {
  ValueId output = kNone;      ///< HxWx(slots * (classes + 5)), or the box tensor of a family that has several
  ValueId objectness = kNone;  ///< HxWx1, families with HeadForm::objectness
  ValueId scores = kNone;      ///< HxWxclasses; none: `output` holds everything
  std::vector<std::array<float, 2>> anchors;  ///< combined: (width, height) in model pixels, one per slot
  float scale_xy = 1.0f;                      ///< anchor-grid, yolov3, yolov4
  bool new_coords = false;                    ///< anchor-grid: activated already, the formula of YOLOv5

  /// The tensors there are, in the order output, objectness, scores.
  std::vector<ValueId> tensors() const;
};

/// What the outputs mean, when the model is a detector.
struct DetectorSpec {
  std::string family;  ///< one of head_families()
  int classes = 0;
  std::vector<DetectorHead> heads;  ///< their tensors are graph.outputs, in this order
  float nms_iou = 0.45f;            ///< the file's own hint, if any
  bool activated = false;           ///< objectness and scores went through the sigmoid already (not anchor-grid)
};

struct Model {
  std::string name;
  std::string format;  ///< "darknet", "native", "onnx"
  Graph graph;         ///< shapes inferred, verified
  Preprocess preprocess;
  std::optional<DetectorSpec> detector;
  std::string why_no_detector;           ///< what was looked for and not found, or empty
  std::vector<std::string> class_names;  ///< empty, or exactly detector->classes
  /// By name of the value, for formats whose tensors are not NHWC (ONNX): inputs, outputs, and what is between as far
  /// as a value of the graph holds it.
  AxisOrders axis_orders;
};

}  // namespace tessera
