#include <fmt/format.h>

#include <filesystem>
#include <istream>
#include <system_error>

#include "base/text.h"
#include "common/detection_options.h"
#include "common/model_options.h"
#include "common/pipeline_options.h"
#include "common/progress.h"
#include "common/standard_input.h"
#include "common/video_options.h"
#include "pipeline/photo_run.h"
#include "pipeline/video/open_video.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "Photos are JPEG, PNG, WebP, BMP or PNM; the content decides, not the name. \"-\" is standard input: one photo, "
    "or\n"
    "a list of paths, one a line. Videos, cameras (/dev/video0) and addresses (rtsp://, http://) give their frames as\n"
    "CLIP#000123.\n"
    "\n"
    "Examples:\n"
    "  tessera detect photo.jpg                       one line of text per photo\n"
    "  tessera detect photos/ --output out/           pictures with boxes, in out/\n"
    "  tessera detect 'photos/*.jpg' --json           everything, for a program\n"
    "  find . -name '*.jpg' | tessera detect - --csv\n"
    "  tessera detect --model yolov4.cfg --names coco.names --size 512 photo.jpg\n"
    "  tessera detect clip.mp4 --every 5 --json       every fifth frame\n"
    "  tessera detect /dev/video0                     the newest frame, again and again, until Ctrl-C\n"
    "  tessera detect photos/ --point m640            four photos per pass, each in a tile of 320\n"
    "  tessera detect val2017/ --coco --multi-label --threshold 0.001 --max-detections 100 > results.json\n"
    "\n"
    "A photo that cannot be read is named, counted and skipped; the status is then 1, and the results of all others\n"
    "are there.";

struct DetectOptions {
  ModelOptions model;
  std::vector<std::string> photos;
  bool recursive = false;
  DetectionOptions detection;
  std::string pictures;
  bool png = false, no_labels = false;
  int quality = 90;
  std::string format = "text";
  std::string save_json, save_coco, save_csv, save_yolo;
  bool yolo_scores = false;
  std::string annotations;
  PipelineOptions pipeline;
  std::string trace;
  VideoWords video;
};

void add_output_options(CLI::App& app, DetectOptions& o) {
  constexpr const char* kGroup = "Results";
  app.add_option("-o,--output", o.pictures, "Folder for the pictures with boxes drawn in")
      ->type_name("DIR")
      ->group(kGroup);
  std::vector<CLI::Option*> stdout_formats{
      app.add_option("--format", o.format, "What goes to stdout: text, json, coco or csv")
          ->type_name("FORMAT")
          ->check(CLI::IsMember({"text", "json", "coco", "csv"}))
          ->capture_default_str()
          ->group(kGroup)};
  for (const char* name : {"json", "coco", "csv"}) {  // short forms; one at a time
    auto* flag = app.add_flag_callback(
        text("--", name), [&o, name] { o.format = name; }, text("Short for --format ", name));
    flag->group(kGroup);
    for (CLI::Option* other : stdout_formats) flag->excludes(other);
    stdout_formats.push_back(flag);
  }
  app.add_option("--save-json", o.save_json, "JSON into a file, besides stdout")->type_name("FILE")->group(kGroup);
  app.add_option("--save-coco", o.save_coco, "COCO results JSON into a file")->type_name("FILE")->group(kGroup);
  app.add_option("--save-csv", o.save_csv, "CSV into a file")->type_name("FILE")->group(kGroup);
  app.add_option("--save-yolo", o.save_yolo, "YOLO text, one file per photo, into a folder")
      ->type_name("DIR")
      ->group(kGroup);
  app.add_flag("--yolo-scores", o.yolo_scores, "Write scores into the YOLO text")->group(kGroup);
  app.add_option("--annotations", o.annotations,
                 "COCO annotations: image ids by file name, category ids by class name (default: the digits that end "
                 "the name; the official ids of the 80 COCO classes, else class + 1)")
      ->type_name("FILE")
      ->group(kGroup);
  app.add_flag("--png", o.png, "Pictures as PNG instead of JPEG")->group(kGroup);
  app.add_option("--quality", o.quality, "JPEG quality")
      ->check(CLI::Range(1, 100))
      ->capture_default_str()
      ->group(kGroup);
  app.add_flag("--no-labels", o.no_labels, "Boxes without class and score")->group(kGroup);
}

Result<DetectorOptions> options_of(const DetectOptions& o, Io& io) {
  auto options = detector_options(o.model, io);
  if (!options) return options;
  if (const auto fits = apply(o.detection, *options); !fits) return fits.error();
  return options;
}

/// Pictures must not land among the photos: they would replace them, or be found as photos next time.
Status check_output_apart(const DetectOptions& o) {
  if (o.pictures.empty()) return {};
  std::error_code ignored;
  const fs::path output = fs::weakly_canonical(o.pictures, ignored);
  for (const std::string& photo : o.photos) {
    if (!fs::is_directory(photo, ignored)) continue;
    const fs::path folder = fs::weakly_canonical(photo, ignored);
    const auto inside = std::mismatch(folder.begin(), folder.end(), output.begin(), output.end()).first == folder.end();
    if (folder == output || (o.recursive && inside)) {
      return Error{Code::invalid_argument, text(o.pictures, ": lies in the folder of photos ", photo,
                                                ", where pictures could replace photos: choose another --output")};
    }
  }
  return {};
}

/// Collects the sinks that the options ask for.
class SinkMaker {
 public:
  SinkMaker(const DetectOptions& options, const Detector& detector) : o_(options), detector_(detector) {}

  Result<std::vector<std::unique_ptr<Sink>>> make() {
    const auto& names = detector_.class_names();
    // Files of one photo first: one that cannot be written makes the photo a failure, and the lists must not have it.
    if (!o_.pictures.empty()) {
      const PictureOptions picture{o_.png ? PictureFormat::png : PictureFormat::jpeg, o_.quality, !o_.no_labels};
      TESSERA_TRY(add(make_picture_sink(o_.pictures, names, picture)));
    }
    if (!o_.save_yolo.empty()) TESSERA_TRY(add(make_yolo_sink(o_.save_yolo, o_.yolo_scores)));
    TESSERA_TRY(add_stdout(names));
    TESSERA_TRY(add_file(o_.save_json, [&](TextOut out) { return make_json_sink(std::move(out), names); }));
    TESSERA_TRY(add_file(o_.save_csv, [&](TextOut out) { return make_csv_sink(std::move(out), names); }));
    if (!o_.save_coco.empty()) {
      auto out = TextOut::file(o_.save_coco);
      if (!out) return out.error();
      TESSERA_TRY(add_coco(std::move(*out)));
    }
    return std::move(sinks_);
  }

 private:
  Status add(Result<std::unique_ptr<Sink>> sink) {
    if (!sink) return sink.error();
    sinks_.push_back(std::move(*sink));
    return {};
  }
  Status add_stdout(const std::vector<std::string>& names) {
    if (o_.format == "coco") return add_coco(Io::stdout_handle());
    if (o_.format == "json") return add(make_json_sink(Io::stdout_handle(), names));
    if (o_.format == "csv") return add(make_csv_sink(Io::stdout_handle(), names));
    return add(make_text_sink(Io::stdout_handle(), names));
  }
  template <class Make>
  Status add_file(const std::string& path, const Make& make) {
    if (path.empty()) return {};
    auto out = TextOut::file(path);
    if (!out) return out.error();
    return add(make(std::move(*out)));
  }
  Status add_coco(TextOut out) {
    std::optional<CocoIndex> index;
    if (!o_.annotations.empty()) {
      auto read = read_coco_index(o_.annotations);
      if (!read) return read.error();
      index = std::move(*read);
    }
    auto categories = CategoryIds::create(detector_.class_names(), detector_.classes(), index ? &*index : nullptr);
    if (!categories) return categories.error();
    ImageIds images = index ? ImageIds(std::move(index->images)) : ImageIds();
    return add(make_coco_sink(std::move(out), std::move(*categories), std::move(images)));
  }

  const DetectOptions& o_;
  const Detector& detector_;
  std::vector<std::unique_ptr<Sink>> sinks_;
};

std::string mosaic_note(const Detector& detector) {
  const MosaicGrid grid = detector.mosaic();
  return grid.tiles() == 1 ? "" : fmt::format(" for {}x{} photos", grid.rows, grid.cols);
}

/// Opened before the run: a place that cannot be written is told at once.
Result<std::optional<TextOut>> open_trace(const std::string& path) {
  if (path.empty()) return std::optional<TextOut>{};
  auto out = TextOut::file(path);
  if (!out) return out.error();
  return std::optional<TextOut>(std::move(*out));
}

/// What the run is about, found out before it.
struct Plan {
  bool live = false;
  const char* unit = "photos";
  VideoOptions video;
  std::optional<std::size_t> count;
};

Plan plan_of(const DetectOptions& o) {
  Plan plan;
  plan.live = o.video.live || any_live(o.photos);
  plan.unit = all_videos(o.photos) ? "frames" : "photos";
  plan.video = video_options(o.video);
  plan.count = count_photos(o.photos, o.recursive, open_video, plan.video);
  return plan;
}

void tell_summary(Io& io, const Detector& detector, const RunSummary& summary, int workers, double seconds,
                  const Plan& plan, std::int64_t dropped) {
  if (summary.failed > 0) {
    io.error(fmt::format("{} of {} {} failed", summary.failed, summary.failed + summary.photos, plan.unit));
  }
  if (summary.stopped && !plan.live) {
    io.error(fmt::format("stopped after {} {}; their results are kept", summary.photos, plan.unit));
  }
  if (!io.shows_progress() && !io.verbose()) return;
  io.note(fmt::format(
      "{} {}, {} detections in {:.2f} s ({:.1f}/s), {} f32 {}x{}{}, {} worker{} of {} thread{}, {} nodes on "
      "plain "
      "loops",
      summary.photos, plan.unit, summary.detections, seconds,
      seconds > 0 ? static_cast<double>(summary.photos) / seconds : 0.0, detector.device(), detector.input_width(),
      detector.input_height(), mosaic_note(detector), workers, workers == 1 ? "" : "s", detector.threads(),
      detector.threads() == 1 ? "" : "s", detector.fallback_nodes()));
  if (plan.live) io.note(fmt::format("{} frames dropped: newer ones came before anyone could take them", dropped));
}

int run(const DetectOptions& o, Io& io) {
  if (const auto apart = check_output_apart(o); !apart) return io.failed(apart.error());
  auto options = options_of(o, io);
  if (!options) return io.failed(options.error());
  const Plan plan = plan_of(o);
  // Live, one frame at a time on all threads: the result comes soonest.
  const int wanted = plan.live && o.pipeline.workers == 0 ? 1 : o.pipeline.workers;
  const int workers = share_processors(wanted, plan.count, *options);
  auto detector = Detector::load(*options);
  if (!detector) return io.failed(detector.error());
  auto sinks = SinkMaker(o, *detector).make();
  if (!sinks) return io.failed(sinks.error());

  auto trace_file = open_trace(o.trace);
  if (!trace_file) return io.failed(trace_file.error());
  Progress progress(io, plan.unit, plan.count ? std::optional(static_cast<double>(*plan.count)) : std::nullopt);
  Trace trace;
  RunOptions told = run_options(o.pipeline, *detector, workers, plan.count);
  told.newest = plan.live;
  if (*trace_file) told.trace = &trace;
  told.on_failed = [&](std::string_view, const Error& error) { io.error(error.message); };
  told.on_progress = [&](const RunSummary& s) { progress.update(static_cast<double>(s.photos + s.failed), s.failed); };
  StandardInput stdin_buffer;
  std::istream input(&stdin_buffer);
  PhotoSource source(o.photos,
                     {.recursive = o.recursive, .input = &input, .open_video = open_video, .video = plan.video});
  const auto summary = detect_photos(source, *detector, *sinks, told);
  if (!summary) return io.failed(summary.error());
  if (*trace_file) {
    if (const auto written = trace.write(std::move(**trace_file)); !written) return io.failed(written.error());
  }
  tell_summary(io, *detector, *summary, workers, progress.seconds(), plan, source.dropped());
  return summary->failed > 0 || (summary->stopped && !plan.live) ? kFailed : kOk;  // a camera's end is Ctrl-C
}

}  // namespace

Run add_detect(CLI::App& app) {
  const auto options = std::make_shared<DetectOptions>();
  app.add_option("photos", options->photos,
                 "Files, folders, patterns such as 'photos/*.jpg', videos, cameras, addresses, or -")
      ->type_name("PHOTO|VIDEO")
      ->required();
  add_model_options(app, options->model, false);
  app.add_flag("-r,--recursive", options->recursive, "Also the folders inside folders");
  add_output_options(app, *options);
  add_detection_options(app, options->detection);
  add_video_options(app, options->video);
  add_run_options(app, options->model);
  add_pipeline_options(app, options->pipeline);
  app.get_option("--scaled-decode")->excludes("--output");
  app.add_option("--trace", options->trace, "When each stage worked on which photo, for ui.perfetto.dev")
      ->type_name("FILE")
      ->group("How it runs");
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
