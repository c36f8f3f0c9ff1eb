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

/// A model held in memory instead of files; the bytes must outlive Detector::load only.
struct ModelInMemory {
  std::string_view name;               ///< what errors call it
  std::span<const std::byte> model;    ///< cfg text, or a whole native file
  std::span<const std::byte> weights;  ///< Darknet only
  std::span<const std::byte> names;    ///< class names, one a line; empty: those stored in the model, if any
};

struct DetectorOptions {
  std::string model;                       ///< path of a .cfg or .tessera file
  std::string weights;                     ///< Darknet only; empty: the .weights file beside the .cfg
  std::string names;                       ///< class names, one a line; empty: those stored in the model, if any
  std::optional<ModelInMemory> in_memory;  ///< instead of the three paths

  int width = 0, height = 0;      ///< network input; 0: the model's own. Both or neither; multiples of its strides
  std::optional<bool> letterbox;  ///< true: keep the aspect, pad; false: stretch; unset: the model's own way

  float threshold = 0.25f;      ///< lowest score, inclusive, [0, 1)
  float nms_iou = 0.45f;        ///< of two boxes of a class that overlap by more, the better one stays; [0, 1]
  bool multi_label = false;     ///< one place may be several classes (what mAP is usually measured with)
  bool class_agnostic = false;  ///< boxes of different classes suppress each other too
  int max_detections = 300;     ///< per photo, best first; 1..65,536

  std::string device = "cpu";                         ///< "cpu" or "reference"; no silent fallback
  std::string isa;                                    ///< highest level to use ("avx2"); empty: what the machine has
  int threads = 0;                                    ///< per Detector, the caller's included; 0: allowed processors
  std::vector<std::string> disabled;                  ///< passes, "reuse", "zero-copy", implementation names
  std::map<std::string, std::string> forced_kernels;  ///< operator ("conv") -> "naive" or an implementation
  std::function<void(std::string_view)> log;          ///< told each choice and its reason, during load only
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
  /// Decodes a JPEG, PNG, WebP, BMP or PNM file held in memory (EXIF orientation applied) and detects.
  Result<std::vector<Detection>> detect_encoded(std::span<const std::byte> file);

  int classes() const noexcept;
  /// One per class, or empty when the model came without names.
  const std::vector<std::string>& class_names() const noexcept;
  /// The class's name, or "class 7" without names.
  std::string class_name(std::int32_t class_id) const;
  int input_width() const noexcept;
  int input_height() const noexcept;
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
