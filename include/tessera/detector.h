#pragma once
// Photos in, boxes out: the whole of Tessera behind one class.

#include <tessera/image.h>
#include <tessera/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// One object: xyxy in pixels of the photo, 0 <= x1 <= x2 <= width, right and bottom edges exclusive.
struct Detection {
  std::int32_t class_id = 0;
  float score = 0;  ///< class probability times objectness, finite, at least the threshold
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  bool operator==(const Detection&) const = default;
};

/// A photo of a pass. After a scaled decode the pixels are fewer than the photo's, and boxes refer to the full size.
struct PhotoView {
  ImageView pixels;                     ///< upright RGB, only read during the call
  int full_width = 0, full_height = 0;  ///< 0: the pixels' own
};

/// A model held in memory instead of files; the bytes must outlive Detector::load only.
struct ModelInMemory {
  std::string_view name;               ///< what errors call it
  std::span<const std::byte> model;    ///< cfg text, or a whole native file
  std::span<const std::byte> weights;  ///< Darknet only
  std::span<const std::byte> names;    ///< class names, one a line; empty: those stored in the model, if any
};

/// Several photos on one canvas: rows x cols equal tiles share one pass of the network. Each photo is decoded as if its
/// tile were the whole input; a box belongs to the photo whose cell emitted it.
struct MosaicGrid {
  int rows = 1, cols = 1;  ///< each 1..8
  int tiles() const noexcept { return rows * cols; }
  bool operator==(const MosaicGrid&) const = default;
};

/// Box-step v2, off by default: how candidates are ordered and boxes refined (docs/boxdecode.md, "box step").
struct BoxStep {
  bool power_rank = false;            ///< order and report objectness^0.5 * class^1.25 instead of their product
  std::optional<float> voting_iou;    ///< a kept box is the score-weighted mean of its class's boxes overlapping more
  std::optional<float> edge_penalty;  ///< factor for boxes at an inner edge of a mosaic, (0, 1]; needs a mosaic
  float edge_margin = 4;              ///< how near the edge, in tile pixels
  int max_per_class = 0;              ///< per photo; 0: no limit
};

struct DetectorOptions {
  std::string model;                       ///< path of a .cfg, .onnx or .tessera file
  std::string weights;                     ///< Darknet only; empty: the .weights file beside the .cfg
  std::string names;                       ///< class names, one a line; empty: those stored in the model, if any
  std::optional<ModelInMemory> in_memory;  ///< instead of the three paths

  std::string family, heads;  ///< ONNX whose structure does not tell: docs/onnx.md, "by hand"

  int width = 0, height = 0;  ///< network input; 0: the model's own. Both or neither; multiples of its strides
  MosaicGrid mosaic;          ///< photos per pass; rows and cols divide the input and every head
  /// The photo's pixels are rounded to bytes once they have the network's size, and the network reads these: a quarter
  /// of the memory between the two. A pixel moves by up to half a grey level, so boxes and scores differ a little.
  bool byte_pixels = false;
  std::optional<bool> letterbox;  ///< true: keep the aspect, pad; false: stretch; unset: the model's own way

  float threshold = 0.25f;  ///< lowest score, inclusive, [0, 1)
  /// Of two boxes of a class that overlap by more, the better one stays; [0, 1]. Unset: 0.45, or 0 for families that
  /// are trained to give one box per object (YOLOv10, YOLO26), which then are not suppressed at all.
  std::optional<float> nms_iou;
  bool multi_label = false;     ///< one place may be several classes (what mAP is usually measured with)
  bool class_agnostic = false;  ///< boxes of different classes suppress each other too
  int max_detections = 300;     ///< per photo, best first; 1..65,536
  bool flip = false;            ///< look at the mirrored photo too and merge the boxes: twice the network's work
  BoxStep box_step;

  std::string device = "cpu";         ///< "cpu" or "reference"; no silent fallback
  std::string isa;                    ///< highest level to use ("avx2"); empty: what the machine has
  int threads = 0;                    ///< per Detector, the caller's included; 0: allowed processors
  bool exact = false;                 ///< no Winograd convolutions, whose errors are up to some six times as large
  std::vector<std::string> disabled;  ///< passes, "reuse", "zero-copy", implementation names
  std::map<std::string, std::string> forced_kernels;  ///< operator ("conv") -> "naive" or an implementation
  bool choose_measured = false;  ///< convolution kernels by their time here, not by a model: bits may differ per load
  std::string choices;           ///< file of kernel choices to take instead; an error when one does not fit
  std::string save_choices;      ///< file to write this load's choices to
  /// Directory of packed weights, made when it is not there: what an earlier load has packed is mapped instead, one
  /// copy for all processes. Empty: none. It may be deleted at any time; what is wrong with it is told to `warn`, no
  /// error. Only processes that trust one another should share it.
  std::string weights_cache;
  std::map<std::string, std::string> replaced;  ///< activation ("mish") -> another one, to see what it costs
  std::function<void(std::string_view)> log;    ///< told each choice and its reason, during load only
  std::function<void(std::string_view)> warn;   ///< told what is amiss and no error, during load only
};

/// A model made ready for photos. Everything that can fail because of the model fails in load; a loaded detector runs
/// any photo of 1x1 to 65535x65535 pixels.
///
/// Threads  One call at a time per Detector. Detectors made by share() use one copy of the model (immutable) and have
///          memory and threads of their own, so each may run in a thread of its own.
/// Bits     The same photo gives the same bits whatever the number of threads and whatever ran before; another isa,
///          device or set of passes may change the last bits of scores and boxes.
/// Memory   A call allocates nothing once photos of that size and that many detections have been seen.
class Detector {
 public:
  /// Errors  not_found, io, corrupt, unsupported: the model's files; invalid_argument: an option, named.
  static Result<Detector> load(const DetectorOptions& options);
  /// Another detector on the same prepared model; threads = 0: as many as this one.
  Result<Detector> share(int threads = 0) const;
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;
  ~Detector();

  /// Detections, best first (score, then place in the heads). `photo` is upright RGB, only read during the call.
  /// Errors  invalid_argument: no pixels, rows shorter than the width, a side above 65535.
  Result<std::vector<Detection>> detect(const ImageView& photo);
  /// The same into a vector that is kept between calls.
  Status detect_into(const ImageView& photo, std::vector<Detection>& out);
  /// Any number of photos in passes of photos_per_pass(), photo i on tile i % photos_per_pass(); unused tiles of the
  /// last pass hold the border's grey. out[i] are the detections of photo i. detect() is this with one photo.
  /// Errors  invalid_argument: no photo, or one of them as in detect (named by its place); then none is looked at.
  Status detect_many(std::span<const PhotoView> photos, std::vector<std::vector<Detection>>& out);
  /// Decodes a JPEG, PNG, WebP, BMP or PNM file held in memory (EXIF orientation applied) and detects.
  Result<std::vector<Detection>> detect_encoded(std::span<const std::byte> file);

  int classes() const noexcept;
  /// One per class, or empty when the model came without names.
  const std::vector<std::string>& class_names() const noexcept;
  /// The class's name, or "class 7" without names.
  std::string class_name(std::int32_t class_id) const;
  int input_width() const noexcept;
  int input_height() const noexcept;
  MosaicGrid mosaic() const noexcept;
  int tile_width() const noexcept { return input_width() / mosaic().cols; }  ///< what one photo gets of the input
  int tile_height() const noexcept { return input_height() / mosaic().rows; }
  int photos_per_pass() const noexcept { return mosaic().tiles(); }
  float nms_iou() const noexcept;  ///< what DetectorOptions::nms_iou became
  int threads() const noexcept;
  const std::string& device() const noexcept;
  /// Nodes that run on a plain loop because no faster kernel accepts them (cpu device).
  int fallback_nodes() const noexcept;

 private:
  struct Prepared;
  struct State;
  explicit Detector(std::unique_ptr<State> state);
  static Result<Detector> on(std::shared_ptr<const Prepared> prepared, int threads);
  std::unique_ptr<State> state_;
};

}  // namespace tessera
