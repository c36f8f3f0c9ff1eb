#include "evaluation/scored.h"

#include <fmt/format.h>

#include "common/pipeline_options.h"
#include "common/progress.h"
#include "eval/read/readers.h"
#include "image/image.h"
#include "model/class_names.h"
#include "pipeline/source.h"

namespace tessera::cli {
namespace {

Result<eval::Dataset> read_dataset(const EvalOptions& o, const eval::AnnotationOptions& options, Io& io,
                                   std::size_t& failed) {
  auto dataset = eval::read_annotations(o.annotations, options);
  if (!dataset) return dataset;
  if (dataset->left_out > 0) {
    io.note(fmt::format("{}: {} annotations of photos or classes that are not listed are left out", o.annotations,
                        dataset->left_out));
  }
  for (const std::string& reason : dataset->unreadable) io.error(reason);
  failed += dataset->unreadable.size();
  return dataset;
}

Result<std::vector<std::string>> read_names(const std::string& path) {
  if (path.empty()) return std::vector<std::string>();
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_class_names({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

Result<Scored> from_file(const EvalOptions& o, Io& io) {
  const auto names = read_names(o.model.names);
  if (!names) return names.error();
  Scored out;
  auto dataset = read_dataset(o, {.images = o.images, .names = *names, .model_names = {}}, io, out.failed);
  if (!dataset) return dataset.error();
  auto detections = eval::read_detections(o.detections, *dataset);
  if (!detections) return detections.error();
  if (detections->left_out > 0) {
    io.note(fmt::format("{}: {} detections of categories that the annotations lack are left out", o.detections,
                        detections->left_out));
  }
  out.dataset = std::move(*dataset);
  out.detections = std::move(*detections);
  return out;
}

RunFacts facts_of(const EvalOptions& o, const DetectorOptions& options, const Detector& detector, int workers,
                  const eval::TimedRun& run) {
  return {.model = model_label(o.model),
          .options = options,
          .device = detector.device(),
          .width = detector.input_width(),
          .height = detector.input_height(),
          .threads = detector.threads(),
          .workers = workers,
          .nms_iou = detector.nms_iou(),
          .stopped = run.stopped,
          .ms_per_photo = run.ms_per_photo(),
          .first_photo_ms = run.first_photo_ms(),
          .steady_ms_per_photo = run.steady_ms_per_photo()};
}

RunOptions told_run(const EvalOptions& o, const Detector& detector, int workers, std::size_t photos, Io& io,
                    Progress& progress) {
  RunOptions options = run_options(o.pipeline, detector, workers, photos);
  options.on_failed = [&io](std::string_view, const Error& error) { io.error(error.message); };
  options.on_progress = [&progress](const RunSummary& s) {
    progress.update(static_cast<double>(s.photos + s.failed), s.failed);
  };
  return options;
}

Result<eval::TimedRun> timed_run(const EvalOptions& o, const eval::Dataset& dataset, const eval::PhotoFiles& files,
                                 Detector& detector, int workers, Io& io) {
  const auto classes = eval::map_classes(dataset, detector.class_names());
  if (!classes) return classes.error();
  if (classes->unknown > 0) {
    io.note(fmt::format("{} of the model's {} classes are no category of the annotations: not scored", classes->unknown,
                        detector.classes()));
  }
  Progress progress(io, "photos", static_cast<double>(files.paths.size()));
  auto run = eval::run_detector(dataset, files, *classes, detector,
                                told_run(o, detector, workers, files.paths.size(), io, progress));
  if (!run) return run;
  if (run->failed > 0) io.error(fmt::format("{} of {} photos failed", run->failed, run->failed + run->photos));
  if (run->stopped) io.error(fmt::format("stopped after {} photos; the score is of these", run->photos));
  return run;
}

/// The options of the command line, with eval's own lowest score: mAP looks at the weak detections too.
Result<DetectorOptions> options_of(const EvalOptions& o, Io& io) {
  auto options = detector_options(o.model, io);
  if (!options) return options;
  options->threshold = 0.001f;
  TESSERA_TRY(apply(o.found, *options));
  return options;
}

Result<Scored> from_model(const EvalOptions& o, Io& io) {
  auto options = options_of(o, io);
  if (!options) return options.error();
  const int workers = share_processors(o.pipeline.workers, count_photos({o.images}, false), *options);
  auto detector = Detector::load(*options);
  if (!detector) return detector.error();
  Scored out;
  auto dataset =
      read_dataset(o, {.images = o.images, .names = {}, .model_names = detector->class_names()}, io, out.failed);
  if (!dataset) return dataset.error();
  const auto files = eval::find_photos(*dataset, o.images);
  if (!files) return files.error();
  out.absent = files->absent;
  if (out.absent > 0) {
    io.note(fmt::format("{}: lacks {} of the {} photos that {} lists: not scored", o.images, out.absent,
                        dataset->photos.size(), o.annotations));
  }
  auto run = timed_run(o, *dataset, *files, *detector, workers, io);
  if (!run) return run.error();
  out.failed += run->failed;
  out.run = facts_of(o, *options, *detector, workers, *run);
  out.dataset = std::move(*dataset);
  out.detections = std::move(run->detections);
  return out;
}

}  // namespace

Result<Scored> detect_or_read(const EvalOptions& options, Io& io) {
  return options.detections.empty() ? from_model(options, io) : from_file(options, io);
}

}  // namespace tessera::cli
