#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/text.h"
#include "common/model_options.h"
#include "common/tensors.h"
#include "device/device.h"
#include "pipeline/contract.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "Tensors go in as they are: no resize, no scale, no decoding of boxes. One --input per input of the model, in "
    "order;\n"
    "without any, seeded noise in [0, 1). Outputs are f32, one file per output.\n"
    "\n"
    "Examples:\n"
    "  tessera run yolov4.cfg --input x.npy --output heads/\n"
    "  tessera run yolov4.cfg --input x.npy --output heads/ --layout nchw --json\n"
    "  tessera run model.tessera --seed 7 --output heads/ --device reference";

struct RunOptions {
  ModelOptions model;
  std::vector<std::string> inputs;
  std::string output;
  FileLayout layout = FileLayout::nchw;
  std::uint64_t seed = 1;
};

/// A file name from a node's: what a file system may not like becomes '_'.
std::string file_name(std::size_t index, std::string name) {
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  return text(index, '_', name, ".npy");
}

Status fill_inputs(const RunOptions& o, const Model& model, const Graph& graph, ExecutionContext& context) {
  const std::size_t count = graph.inputs.size();
  if (!o.inputs.empty() && o.inputs.size() != count) {
    return Error{Code::invalid_argument,
                 text("--input is given ", o.inputs.size(), " times: the model has ", count, " inputs")};
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (o.inputs.empty()) {
      fill_with_noise(context.input(i), o.seed + i);
    } else {
      const TensorRef input = context.input(i);
      TESSERA_TRY(
          fill_from_npy(input, o.inputs[i], file_order(model, graph.value(graph.inputs[i]).name, input, o.layout)));
    }
  }
  return {};
}

Result<nlohmann::ordered_json> write_outputs(const RunOptions& o, const Model& model, const Graph& graph,
                                             const ExecutionContext& context) {
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const std::string& name = graph.value(graph.outputs[i]).name;
    const std::string file = file_name(i, name);
    const NpyArray array = to_array(context.output(i), file_order(model, name, context.output(i), o.layout));
    TESSERA_TRY(write_npy(fs::path(o.output) / file, array.shape, array.data));
    outputs.push_back(
        {{"name", name}, {"file", file}, {"shape", std::vector<std::int64_t>(array.shape.begin(), array.shape.end())}});
  }
  return outputs;
}

Result<std::string> run_model(const RunOptions& o, bool json, Io& io) {
  const auto options = detector_options(o.model, io);
  if (!options) return options.error();
  auto model = load_model(*options, true);
  if (!model) return model.error();
  const auto executable = prepare_graph(std::move(model->graph), *options);
  if (!executable) return executable.error();
  const int threads = (*executable)->options().threads;
  auto context = ExecutionContext::create(*executable, threads);
  if (!context) return context.error();
  TESSERA_TRY(fill_inputs(o, *model, (*executable)->graph(), *context));
  std::error_code error;
  fs::create_directories(o.output, error);
  if (error) return Error{Code::io, text(o.output, ": cannot make the output folder: ", error.message())};
  ThreadPool pool(threads);
  context->run(pool);
  const auto outputs = write_outputs(o, *model, (*executable)->graph(), *context);
  if (!outputs) return outputs.error();
  if (json) return nlohmann::ordered_json{{"outputs", *outputs}}.dump(2) + "\n";
  std::string lines;
  for (const auto& output : *outputs) lines += (fs::path(o.output) / output["file"].get<std::string>()).string() + "\n";
  return lines;
}

}  // namespace

Run add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  const auto json = std::make_shared<bool>(false);
  add_model_options(app, options->model, true);
  app.add_option("-i,--input", options->inputs, "Input tensor, .npy; once per input of the model")
      ->type_name("FILE.npy")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("-o,--output", options->output, "Folder for the output tensors")->type_name("DIR")->required();
  add_layout_option(app, options->layout);
  app.add_option("--seed", options->seed, "Seed of the noise when there is no --input")->capture_default_str();
  app.add_flag("--json", *json, "Names, files and shapes of the outputs as JSON");
  add_run_options(app, options->model);
  app.footer(kFooter);
  return [options, json](Io& io) {
    const auto out = run_model(*options, *json, io);
    return out ? io.print(*out) : io.failed(out.error());
  };
}

}  // namespace tessera::cli
