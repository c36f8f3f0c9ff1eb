#include "common/detection_options.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "base/text.h"

namespace tessera::cli {
namespace {

/// A named choice of input and photos per pass. Sorted by name.
struct Point {
  std::string_view name;
  int size, grid;
};
constexpr Point kPoints[] = {{"m512", 512, 2}, {"m640", 640, 2}, {"r320", 320, 1},
                             {"r384", 384, 1}, {"r512", 512, 1}, {"r640", 640, 1}};

const Point* find_point(std::string_view name) {
  const auto* found = std::ranges::find(kPoints, name, &Point::name);
  return found == std::end(kPoints) ? nullptr : found;
}

std::string check_point(const std::string& word) {
  if (find_point(word) != nullptr) return "";
  std::string names;
  for (const Point& point : kPoints) append_text(names, text(names.empty() ? "" : ", ", point.name));
  return text("'", word, "' is no operating point: want one of ", names);
}

std::optional<MosaicGrid> read_grid(const std::string& word) {
  if (word.size() != 3 || word[1] != 'x') return std::nullopt;
  const MosaicGrid grid{word[0] - '0', word[2] - '0'};
  if (grid.rows < 1 || grid.rows > 8 || grid.cols < 1 || grid.cols > 8) return std::nullopt;
  return grid;
}

constexpr const char* kFound = "What counts as found";

void add_share(CLI::App& verb, const char* name, std::optional<float>& value, const char* help, bool zero, bool one) {
  verb.add_option(name, value, help)
      ->type_name("NUMBER")
      ->check([zero, one](const std::string& word) { return check_share(word, zero, one); })
      ->group(kFound);
}

void add_canvas(CLI::App& verb, DetectionOptions& o) {
  constexpr const char* kGroup = "Canvas";
  verb.add_option("--mosaic", o.mosaic, "ROWSxCOLS photos share one pass of the network, as in 2x2 (default 1x1)")
      ->type_name("GRID")
      ->check([](const std::string& word) {
        return read_grid(word) ? "" : text("'", word, "' is no mosaic: want ROWSxCOLS, each 1 to 8, as in 2x2");
      })
      ->group(kGroup);
  verb.add_option("--point", o.point,
                  "Operating point: m512, m640 (2x2 tiles of 256, 320), r320, r384, r512, r640 (one photo)")
      ->type_name("NAME")
      ->check(check_point)
      ->group(kGroup);
  auto* letterbox = verb.add_flag("--letterbox", o.letterbox, "Keep the photo's aspect, whatever the model says");
  letterbox->group(kGroup);
  verb.add_flag("--stretch", o.stretch, "Stretch the photo to the input, whatever the model says")
      ->group(kGroup)
      ->excludes(letterbox);
}

/// Box-step v2 at the point where it was measured: four stretched photos of 320 on a canvas of 640.
void apply_m640(DetectorOptions& out) {
  out.threshold = 0.001f;
  out.nms_iou = 0.45f;
  out.multi_label = true;
  out.letterbox = false;
  out.mosaic = {2, 2};
  out.box_step.power_rank = true;
  out.box_step.voting_iou = 0.75f;
  out.box_step.edge_penalty = 0.5f;
  out.box_step.max_per_class = 100;
}

void apply_size(int size, DetectorOptions& out) {
  if (out.width == 0 && out.height == 0) out.width = out.height = size;
}

void apply_words(const DetectionOptions& o, DetectorOptions& out) {
  if (!o.mosaic.empty()) out.mosaic = read_grid(o.mosaic).value_or(MosaicGrid{});
  out.threshold = o.threshold.value_or(out.threshold);
  if (o.nms_iou) out.nms_iou = o.nms_iou;
  out.max_detections = o.max_detections.value_or(out.max_detections);
  out.multi_label = out.multi_label || o.multi_label;
  out.class_agnostic = o.class_agnostic;
  out.flip = o.flip;
  if (o.letterbox || o.stretch) out.letterbox = o.letterbox;
  out.box_step.power_rank = out.box_step.power_rank || o.power_rank;
  if (o.voting) out.box_step.voting_iou = o.voting;
  if (o.edge_penalty) out.box_step.edge_penalty = o.edge_penalty;
  out.box_step.max_per_class = o.max_per_class.value_or(out.box_step.max_per_class);
}

}  // namespace

std::string check_share(const std::string& word, bool zero, bool one) {
  float value = -1;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool number = status == std::errc() && end == word.data() + word.size();
  if (number && (value > 0 || (zero && value == 0)) && (value < 1 || (one && value == 1))) return "";
  return text("'", word, "': want a number from ", zero ? "0" : "above 0", " to ", one ? "1" : "below 1");
}

void add_detection_options(CLI::App& verb, DetectionOptions& o, const char* threshold) {
  add_share(verb, "--threshold", o.threshold, text("Lowest score (default ", threshold, ")").c_str(), true, false);
  add_share(verb, "--nms-iou", o.nms_iou,
            "Of two boxes of a class that overlap by more, the better stays (default 0.45; 0 for YOLOv10, YOLO26)",
            true, true);
  verb.add_option("--max-detections", o.max_detections, "Most boxes per photo, best first (default 300)")
      ->type_name("N")
      ->check(CLI::Range(1, 65536).description(""))
      ->group(kFound);
  verb.add_option("--max-per-class", o.max_per_class, "Most boxes of a class per photo (default: no limit)")
      ->type_name("N")
      ->check(CLI::Range(0, 65536).description(""))
      ->group(kFound);
  verb.add_flag("--multi-label", o.multi_label, "One place may be several classes (as mAP is measured)")->group(kFound);
  verb.add_flag("--class-agnostic", o.class_agnostic, "Boxes of different classes suppress each other")->group(kFound);
  verb.add_flag("--power-rank", o.power_rank, "Order by objectness^0.5 * class^1.25 instead of their product")
      ->group(kFound);
  add_share(verb, "--voting", o.voting, "A kept box becomes the mean of its class's boxes that overlap by more", true,
            true);
  add_share(verb, "--edge-penalty", o.edge_penalty, "Factor for boxes at an inner edge of a mosaic", false, true);
  verb.add_flag("--flip", o.flip, "Look at the mirrored photo too and merge the boxes: twice the network's work")
      ->group(kFound);
  verb.add_option("--preset", o.preset, "m640: point m640 with multi-label, power rank, voting and edge penalty")
      ->type_name("NAME")
      ->check(CLI::IsMember({"m640"}).description(""))
      ->group(kFound);
  add_canvas(verb, o);
}

Status apply(const DetectionOptions& o, DetectorOptions& out) {
  if (!o.preset.empty() && !o.point.empty()) {
    return Error{Code::invalid_argument, "--preset and --point both choose the canvas: give one of them"};
  }
  if (!o.preset.empty()) {
    apply_m640(out);
    apply_size(640, out);
  }
  if (const Point* point = find_point(o.point)) {
    out.mosaic = {point->grid, point->grid};
    apply_size(point->size, out);
  }
  apply_words(o, out);
  return {};
}

}  // namespace tessera::cli
