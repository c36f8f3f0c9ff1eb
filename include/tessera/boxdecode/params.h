#pragma once
// What to decode and how: profile, heads, thresholds, geometry.

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::boxdecode {

/// A named, fixed recipe: family, head layout, anchors, formulas (docs/boxdecode.md, "families").
enum class Profile : std::uint8_t {
  None,
  AnchorGridV1,  ///< combined heads with the anchors, scale and formula given in Params::anchor_grid
  Yolo11V1,
  Yolo26RawLtrb,
  YoloV10V1,
  YoloV3V1,
  YoloV4V1,
  YoloV5V1,
  YoloV6V1,
  YoloV7TinyV1,
  YoloV7V1,
  YoloV8V1,
  YoloV9V1,
  YoloXV1,
};
const char* to_string(Profile profile) noexcept;

enum class Task : std::uint8_t { Detection, Pose, Segmentation };
enum class ScoreActivation : std::uint8_t { Identity, Sigmoid };
enum class BoxEncoding : std::uint8_t {
  CornersXyxy,  ///< x1, y1, x2, y2; right and bottom edges exclusive
  TopLeftXywh,  ///< x1, y1, x2 - x1, y2 - y1
};
enum class RankRule : std::uint8_t {
  Product,       ///< the base score orders the candidates
  PowerHalf125,  ///< objectness^0.5 * class^1.25 does, and is what is reported
};

struct ImageSize {
  std::int32_t width = 0, height = 0;  ///< each 1...1,048,576
  bool operator==(const ImageSize&) const = default;
};

/// One feature-map level: which input tensors belong to it. Ports are indices into Request::inputs.
struct Head {
  enum class Kind : std::uint8_t { Combined, Pair, Objectness };
  static constexpr std::int32_t kNone = -1;

  Kind kind = Kind::Combined;
  std::int32_t combined_port = kNone;
  std::int32_t box_port = kNone, score_port = kNone, extra_input = kNone;
  std::int32_t coefficients_port = kNone, keypoints_port = kNone;

  /// One tensor HxWx(slots * (classes + 5)); per slot x, y, w, h, objectness, classes.
  static Head combined(std::int32_t port) {
    Head head;
    head.combined_port = port;
    return head;
  }
  static Head pair(std::int32_t box, std::int32_t score) {
    Head head;
    head.kind = Kind::Pair;
    head.box_port = box;
    head.score_port = score;
    return head;
  }
  static Head with_objectness(std::int32_t box, std::int32_t objectness, std::int32_t score) {
    Head head = pair(box, score);
    head.kind = Kind::Objectness;
    head.extra_input = objectness;
    return head;
  }
  Head coefficients(std::int32_t port) const {
    Head head = *this;
    head.coefficients_port = port;
    return head;
  }
  Head keypoints(std::int32_t port) const {
    Head head = *this;
    head.keypoints_port = port;
    return head;
  }
};

/// Geometry of one head of AnchorGridV1.
struct AnchorLevel {
  enum class Formula : std::uint8_t {
    Exp,     ///< YOLOv3/v4: ((scale * sig(tx) - offset) + col) * stride, exp(tw) * anchor
    Square,  ///< YOLOv5/v7: ((2 * sig(tx) - 0.5) + col) * stride, (2 * sig(tw))^2 * anchor
  };
  Formula formula = Formula::Exp;
  float scale = 1.0f;                         ///< finite, > 0; Square: 2, as in its formula
  float offset = 0.0f;                        ///< finite; Square: 0.5
  std::vector<std::array<float, 2>> anchors;  ///< 1...16 pairs (width, height) in model pixels, finite and > 0

  static AnchorLevel exp(float scale, float offset, std::vector<std::array<float, 2>> anchors) {
    return {Formula::Exp, scale, offset, std::move(anchors)};
  }
  static AnchorLevel square(std::vector<std::array<float, 2>> anchors) {
    return {Formula::Square, 2.0f, 0.5f, std::move(anchors)};
  }
  /// A Darknet [yolo] section: scale_x_y and new_coords. With new_coords the tensors are already activated: also set
  /// score_activation = Identity.
  static AnchorLevel darknet(float scale_x_y, bool new_coords, std::vector<std::array<float, 2>> anchors) {
    const auto offset = static_cast<float>((static_cast<double>(scale_x_y) - 1.0) / 2.0);
    return {new_coords ? Formula::Square : Formula::Exp, scale_x_y, offset, std::move(anchors)};
  }
};

/// How the photo was brought to the model's input size; its exact inverse maps the boxes back.
struct Resize {
  enum class Mode : std::uint8_t { Stretch, Letterbox, Explicit };
  enum class Anchor : std::uint8_t { Center, TopLeft };

  Mode mode = Mode::Stretch;
  Anchor anchor = Anchor::Center;          ///< Letterbox: where the picture stands
  ImageSize scaled;                        ///< Explicit: the photo after resizing
  std::int32_t pad_left = 0, pad_top = 0;  ///< Explicit

  static Resize stretch() { return {}; }
  static Resize letterbox(Anchor anchor = Anchor::Center) { return {Mode::Letterbox, anchor, {}, 0, 0}; }
  static Resize explicit_size(ImageSize scaled, std::int32_t pad_left, std::int32_t pad_top) {
    return {Mode::Explicit, Anchor::Center, scaled, pad_left, pad_top};
  }
};

/// Several photos on one canvas, as equal tiles; each is decoded as an image of its own.
struct Mosaic {
  std::int32_t rows = 1, cols = 1;  ///< each 1...8
};
/// Each kept box becomes the mean of the candidates of its class that overlap it by more than `iou`, weighted by score.
struct Voting {
  float iou = 0.75f;
};
/// Candidates that touch an edge between two tiles of a mosaic are multiplied by `factor`.
struct EdgePenalty {
  float factor = 0.5f;  ///< (0, 1]
  float margin = 4.0f;  ///< tile pixels
};

/// Defaults are normative; fields without one must be set.
struct Params {
  Profile profile = Profile::None;
  Task task = Task::Detection;
  std::vector<Head> heads;  ///< head order is encounter order; combined families P3, P4, P5
  std::optional<std::int32_t> basis;
  ImageSize model_input_size, original_image_size;
  std::int32_t num_classes = 0;
  std::optional<ScoreActivation> score_activation;  ///< derived (Sigmoid) for combined families
  std::int32_t max_detections = 0;                  ///< K, rows of each output: 1...65,536
  float detection_threshold = -1.0f;                ///< inclusive, [0, 1); 0 is a number, not "default"
  float nms_iou_threshold = -1.0f;                  ///< [0, 1]; suppressed strictly above
  bool nms_class_agnostic = false;
  bool multi_label = false;                     ///< every class of a slot at or above the threshold is a candidate
  std::optional<std::int32_t> candidate_limit;  ///< unset: none, or 30,000 with multi_label; 0: none
  std::int32_t max_per_class = 0;               ///< 0: none
  BoxEncoding box_encoding = BoxEncoding::CornersXyxy;
  Resize resize;
  RankRule rank_rule = RankRule::Product;
  std::optional<Voting> voting;
  Mosaic mosaic;
  std::optional<EdgePenalty> edge_penalty;
  std::int32_t keypoint_count = 17, keypoint_dims = 3;
  bool accept_float32 = false;           ///< Float32 inputs (dense) are refused unless asked for
  std::vector<AnchorLevel> anchor_grid;  ///< AnchorGridV1: one per head; otherwise empty
};

}  // namespace tessera::boxdecode
