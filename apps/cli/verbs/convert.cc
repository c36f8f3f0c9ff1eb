#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "common/model_options.h"
#include "model/native/native.h"
#include "pipeline/contract.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter =
    "A .tessera file holds graph, weights, preprocessing and class names in one; its header is text (try `head`).\n"
    "\n"
    "Examples:\n"
    "  tessera convert yolov4.cfg yolov4.tessera --names coco.names\n"
    "  tessera convert yolov4.cfg yolov4-512.tessera --size 512";

struct ConvertOptions {
  ModelOptions model;
  std::string output;
};

int run(const ConvertOptions& o, Io& io) {
  const auto options = detector_options(o.model, io);
  if (!options) return io.failed(options.error());
  const auto model = load_model(*options);
  if (!model) return io.failed(model.error());
  if (const auto written = write_native(*model, o.output); !written) return io.failed(written.error());
  io.note(fmt::format("{}: {} nodes, {} class names, written to {}", model->name, model->graph.nodes.size(),
                      model->class_names.size(), o.output));
  return kOk;
}

}  // namespace

Run add_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  add_model_options(app, options->model, true);
  app.get_option("model")->required();
  app.add_option("output", options->output, "The file to write")->type_name("FILE.tessera")->required();
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
