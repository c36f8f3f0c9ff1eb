#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/cpu_features.h"
#include "common/detection_options.h"
#include "common/interrupt.h"
#include "common/model_options.h"
#include "common/progress.h"
#include "eval/read/readers.h"
#include "eval/saved_run.h"
#include "evaluation/report.h"
#include "evaluation/scored.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter =
    "Annotations are a COCO .json file, a folder of VOC .xml files or a folder of YOLO .txt files. The twelve figures "
    "are\n"
    "COCO's, equal to pycocotools. ms per photo is wall time over photos: reading, decoding, network and boxes.\n"
    "\n"
    "Examples:\n"
    "  tessera eval --images photos/ --annotations gt.json --multi-label\n"
    "  tessera eval --images val2017/ --annotations instances_val2017.json --model yolov4 --multi-label --json\n"
    "  tessera eval --detections results.json --annotations gt.json --per-class\n"
    "  tessera eval --images photos/ --annotations gt.json --save-run a.json\n"
    "  tessera eval --detections b.json --annotations gt.json --against a.json    is b better, or was it the photos?\n"
    "\n"
    "A photo that cannot be read is named, counted and left out of the score; the status is then 1.";

Status save(const EvalOptions& o, const Scored& scored) {
  if (o.save_run.empty()) return {};
  auto out = TextOut::file(o.save_run);
  if (!out) return out.error();
  TESSERA_TRY(write_run(*out, scored.dataset, scored.detections));
  return out->close();
}

Result<ComparisonFacts> compare(const EvalOptions& o, const Scored& scored, Io& io) {
  const auto other = eval::read_detections(o.against, scored.dataset);
  if (!other) return other.error();
  std::vector<bool> both(scored.dataset.photos.size());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = has_seen(scored.detections, i) && has_seen(*other, i);
  const eval::Dataset dataset = only_photos(scored.dataset, both);
  Progress progress(io, "resamples", o.resamples);
  eval::BootstrapOptions options{.resamples = o.resamples, .seed = o.seed};
  options.threads = o.model.threads > 0 ? o.model.threads : allowed_cpus();
  options.progress = [&](int done) {
    progress.update(done);
    return !interrupted();
  };
  const auto result =
      paired_bootstrap(dataset, only_photos(scored.detections, both), only_photos(*other, both), options);
  if (!result) return result.error();
  return ComparisonFacts{o.against, dataset.photos.size(), o.seed, options.confidence, *result};
}

int run(const EvalOptions& o, Io& io) {
  const auto scored = detect_or_read(o, io);
  if (!scored) return io.failed(scored.error());
  if (const auto saved = save(o, *scored); !saved) return io.failed(saved.error());
  Evaluation evaluation = evaluate(scored->dataset, scored->detections, o.confusion_threshold);
  evaluation.annotations = o.annotations;
  evaluation.failed = scored->failed;
  evaluation.absent = scored->absent;
  evaluation.run = scored->run;
  if (!o.against.empty()) {
    auto comparison = compare(o, *scored, io);
    if (!comparison) return io.failed(comparison.error());
    evaluation.comparison = std::move(*comparison);
  }
  const int printed = io.print(o.json ? evaluation_json(evaluation) : evaluation_text(evaluation, o.parts));
  const bool incomplete = scored->failed > 0 || (scored->run && scored->run->stopped);
  return printed == kOk && incomplete ? kFailed : printed;
}

void add_data_options(CLI::App& app, EvalOptions& o) {
  app.add_option("--annotations", o.annotations, "COCO .json, folder of VOC .xml or folder of YOLO .txt")
      ->type_name("FILE")
      ->required();
  app.add_option("--images", o.images, "Folder of the photos: detect in them, then score")->type_name("DIR");
  app.add_option("--detections", o.detections, "Score these COCO results (or a saved run) instead of running a model")
      ->type_name("FILE");
}

void add_report_options(CLI::App& app, EvalOptions& o) {
  constexpr const char* kGroup = "What is reported";
  app.add_flag("--json", o.json, "One JSON object with everything")->group(kGroup);
  app.add_flag("--per-class", o.parts.per_class, "A line per class")->group(kGroup);
  app.add_flag("--confusion", o.parts.confusion, "Which class is taken for which")->group(kGroup);
  app.add_option("--confusion-threshold", o.confusion_threshold, "Lowest score in the confusion matrix")
      ->check([](const std::string& word) { return check_share(word, true, true); })
      ->capture_default_str()
      ->group(kGroup);
  app.add_flag("--voc", o.parts.voc, "Pascal VOC's average precision too (IoU 0.5, pixels inclusive)")->group(kGroup);
  app.add_option("--save-run", o.save_run, "Keep the detections for a later --against")
      ->type_name("FILE")
      ->group(kGroup);
}

void add_comparison_options(CLI::App& app, EvalOptions& o) {
  constexpr const char* kGroup = "Comparison";
  app.add_option("--against", o.against, "COCO results or a saved run on the same photos: paired bootstrap")
      ->type_name("FILE")
      ->group(kGroup);
  app.add_option("--resamples", o.resamples, "Draws of photos")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--seed", o.seed, "Same seed, same interval")->capture_default_str()->group(kGroup);
}

}  // namespace

Run add_eval(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  add_data_options(app, *options);
  add_model_options(app, options->model, false);
  add_report_options(app, *options);
  add_comparison_options(app, *options);
  add_detection_options(app, options->found, "0.001");
  add_run_options(app, options->model);
  add_pipeline_options(app, options->pipeline);
  app.footer(kFooter);
  app.callback([options] {
    if (options->images.empty() && options->detections.empty()) {
      throw CLI::RequiredError("--images (to run a model) or --detections (to score results)");
    }
  });
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
