#include <fmt/format.h>

#include <algorithm>

#include "evaluation/report.h"

namespace tessera::cli {
namespace {

constexpr std::size_t kMaxMatrix = 20;  // classes; more do not fit a terminal
constexpr std::size_t kMaxPairs = 20;

/// "0.9103", or "-" where there is nothing to score.
std::string figure(double value) { return value < 0 ? "-" : fmt::format("{:.4f}", value); }

/// As many columns as a terminal shows, not bytes: continuation bytes of UTF-8 take none.
std::string padded(std::string_view name, std::size_t width) {
  const auto columns =
      static_cast<std::size_t>(std::ranges::count_if(name, [](char c) { return (c & '\xc0') != '\x80'; }));
  return std::string(name) + std::string(width > columns ? width - columns : 0, ' ');
}

/// What differs from a plain run, ", multi-label, 2x2 photos a pass".
std::string settings_text(const DetectorOptions& o) {
  std::string out;
  if (o.mosaic.tiles() > 1) out += fmt::format(", {}x{} photos a pass", o.mosaic.rows, o.mosaic.cols);
  if (o.letterbox) out += *o.letterbox ? ", letterbox" : ", stretch";
  if (o.multi_label) out += ", multi-label";
  if (o.class_agnostic) out += ", class-agnostic";
  if (o.flip) out += ", mirrored too";
  if (o.byte_pixels) out += ", pixels u8";
  if (o.box_step.power_rank) out += ", power rank";
  if (o.box_step.voting_iou) out += fmt::format(", voting {:g}", *o.box_step.voting_iou);
  if (o.box_step.edge_penalty) out += fmt::format(", edge penalty {:g}", *o.box_step.edge_penalty);
  if (o.box_step.max_per_class > 0) out += fmt::format(", at most {} per class", o.box_step.max_per_class);
  for (const auto& [from, to] : o.replaced) out += fmt::format(", {} for {}", to, from);
  return out;
}

std::string run_text(const RunFacts& run) {
  const DetectorOptions& o = run.options;
  std::string out =
      fmt::format("{} {}x{} f32 on {}, {} worker{} of {} thread{}\n", run.model, run.width, run.height, run.device,
                  run.workers, run.workers == 1 ? "" : "s", run.threads, run.threads == 1 ? "" : "s");
  out += fmt::format("score {:g}, NMS IoU {:g}, at most {} boxes per photo{}\n", o.threshold, run.nms_iou,
                     o.max_detections, settings_text(o));
  return out + fmt::format("{:.2f} ms per photo: the first {:.2f}, then {:.2f} each\n", run.ms_per_photo,
                           run.first_photo_ms, run.steady_ms_per_photo);
}

std::string stats_text(const eval::CocoStats& s) {
  return fmt::format(
      "\n{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}\n{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}\n"
      "{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}\n{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
      "AP 50:95", "AP50", "AP75", "small", "medium", "large", figure(s.ap), figure(s.ap50), figure(s.ap75),
      figure(s.ap_small), figure(s.ap_medium), figure(s.ap_large), "AR 1", "AR 10", "AR 100", "small", "medium",
      "large", figure(s.ar1), figure(s.ar10), figure(s.ar100), figure(s.ar_small), figure(s.ar_medium),
      figure(s.ar_large));
}

std::string errors_text(const eval::ErrorKinds& errors) {
  std::string out = fmt::format("\n{:<16} {:>8} {:>16}\n", "error", "count", "costs mAP@50");
  for (std::size_t k = 0; k < eval::kErrorKinds; ++k) {
    const auto kind = static_cast<eval::ErrorKind>(k);
    out += fmt::format("{:<16} {:>8} {:>16.4f}\n", to_string(kind), errors.of(kind).count, errors.of(kind).cost);
  }
  return out;
}

std::size_t name_width(const Evaluation& e) {
  std::size_t width = 8;
  for (const std::string& name : e.categories) width = std::max(width, std::min<std::size_t>(name.size(), 24));
  return width;
}

std::string categories_text(const Evaluation& e, bool voc) {
  const std::size_t width = name_width(e);
  std::string out = fmt::format("\n{} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8}", padded("class", width), "objects",
                                "detections", "AP", "AP50", "AP75", "AR100");
  out += voc ? fmt::format(" {:>8} {:>8}\n", "VOC", "VOC-11") : "\n";
  for (std::size_t k = 0; k < e.categories.size(); ++k) {
    const eval::CategoryScore& c = e.coco.categories[k];
    if (c.objects == 0 && c.detections == 0) continue;
    out += fmt::format("{} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8}", padded(e.categories[k], width), c.objects,
                       c.detections, figure(c.ap), figure(c.ap50), figure(c.ap75), figure(c.ar100));
    const eval::VocCategory& v = e.voc.categories[k];
    out += voc ? fmt::format(" {:>8} {:>8}\n", figure(v.every_point), figure(v.eleven_point)) : "\n";
  }
  return out;
}

std::string class_of(const Evaluation& e, std::int32_t category, const char* none) {
  return category == eval::kNothing ? none : e.categories[static_cast<std::size_t>(category)];
}

/// Rows are objects, columns detections.
std::string matrix_text(const Evaluation& e) {
  const auto n = static_cast<std::int32_t>(e.categories.size());
  const std::size_t width = name_width(e) + 3;  // "12 clock"
  std::string out = padded("", width);
  for (std::int32_t k = 0; k < n; ++k) out += fmt::format(" {:>5}", k + 1);
  out += fmt::format(" {:>6}\n", "missed");
  const auto count = [&](std::int32_t object, std::int32_t detection) {
    for (const eval::ConfusionCell& c : e.confusion) {
      if (c.object == object && c.detection == detection) return fmt::format("{}", c.count);
    }
    return std::string(".");
  };
  for (std::int32_t i = 0; i <= n; ++i) {
    const std::int32_t object = i < n ? i : eval::kNothing;
    out += padded(i < n ? fmt::format("{} {}", i + 1, e.categories[static_cast<std::size_t>(i)]) : "nothing", width);
    for (std::int32_t k = 0; k < n; ++k) out += fmt::format(" {:>5}", count(object, k));
    out += i < n ? fmt::format(" {:>6}\n", count(object, eval::kNothing)) : "\n";
  }
  return out;
}

/// The most frequent mix-ups, for many classes.
std::string pairs_text(const Evaluation& e) {
  auto cells = e.confusion;
  std::erase_if(cells, [](const eval::ConfusionCell& c) { return c.object == c.detection; });
  std::ranges::stable_sort(cells, std::ranges::greater{}, &eval::ConfusionCell::count);
  if (cells.size() > kMaxPairs) cells.resize(kMaxPairs);
  std::string out;
  for (const eval::ConfusionCell& c : cells) {
    out += fmt::format("{:>8}  {} -> {}\n", c.count, class_of(e, c.object, "(nothing)"),
                       class_of(e, c.detection, "(missed)"));
  }
  return out;
}

std::string confusion_text(const Evaluation& e) {
  const bool matrix = e.categories.size() <= kMaxMatrix;
  return fmt::format("\nwhat objects (rows) were detected as, score {:g} or more, IoU 0.5 or more{}\n",
                     e.confusion_threshold, matrix ? "" : ": the most frequent mix-ups") +
         (matrix ? matrix_text(e) : pairs_text(e));
}

std::string comparison_text(const ComparisonFacts& c) {
  std::string out = fmt::format("\nagainst {}: {} photos in both, {} resamples, seed {}\n", c.against, c.photos,
                                c.result.resamples, c.seed);
  const auto line = [&](const char* name, const eval::Difference& d) {
    out += fmt::format("{:<10} {:+.4f}   {:g} % interval {:+.4f} to {:+.4f}   better in {:.1f} % of resamples\n", name,
                       d.value, 100 * c.confidence, d.low, d.high, 100 * d.first_better);
  };
  line("mAP@50", c.result.map_50);
  line("mAP@50:95", c.result.map_50_95);
  return out;
}

}  // namespace

std::string evaluation_text(const Evaluation& e, const EvaluationParts& parts) {
  std::string out =
      fmt::format("{} photos of {}: {} objects, {} detections\n", e.photos, e.annotations, e.objects, e.detections);
  if (e.run) out += run_text(*e.run);
  out += fmt::format("mAP@50 {}   mAP@50:95 {}\n", figure(e.coco.stats.ap50), figure(e.coco.stats.ap));
  if (parts.voc) {
    out += fmt::format("VOC mAP {} (every point)   {} (11 points)\n", figure(e.voc.every_point),
                       figure(e.voc.eleven_point));
  }
  out += stats_text(e.coco.stats) + errors_text(e.errors);
  if (parts.per_class) out += categories_text(e, parts.voc);
  if (parts.confusion) out += confusion_text(e);
  if (e.comparison) out += comparison_text(*e.comparison);
  return out;
}

}  // namespace tessera::cli
