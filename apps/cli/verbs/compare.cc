#include "device/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/text.h"
#include "common/model_options.h"
#include "common/tensors.h"
#include "inspect/winograd_table.h"
#include "pipeline/contract.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "Runs the model twice on one input and compares value by value, by name: the first one outside the tolerance is\n"
    "where to look. Run A has the options of \"How it runs\", run B those that begin with --b-; B is the reference "
    "device\n"
    "unless something else is said. A value agrees when its worst difference is at most\n"
    "absolute + relative * (largest magnitude of the value in B). Status 1 when any does not.\n"
    "\n"
    "--winograd runs A only and holds each of its Winograd layers, on the input that reaches it, against the sum in "
    "double,\n"
    "beside the bound known before and the error of the plain sum; activations apart. Status 1 when one is above its "
    "bound.\n"
    "\n"
    "Examples:\n"
    "  tessera compare yolov4.cfg --winograd --photo dog.jpg\n"
    "  tessera compare yolov4.cfg                           cpu against the reference device\n"
    "  tessera compare yolov4.cfg --isa avx512 --b-device cpu --b-isa avx2 --photo dog.jpg\n"
    "  tessera compare yolov4.cfg --b-device cpu --b-disable reuse\n"
    "  tessera compare yolov4.cfg --against dumps/ --layout nchw    another program's .npy files, by layer name";

struct CompareOptions {
  ModelOptions model, b;
  std::string against, dump, input, photo;
  std::uint64_t seed = 1;
  FileLayout layout = FileLayout::nchw;
  Tolerance tolerance;
  bool json = false, failures_only = false, winograd = false;
};

using Inputs = std::vector<std::vector<float>>;

Result<Inputs> make_inputs(const CompareOptions& o, const Model& model) {
  const Graph& graph = model.graph;
  if ((!o.input.empty() || !o.photo.empty()) && graph.inputs.size() != 1) {
    return Error{Code::invalid_argument,
                 text("the model has ", graph.inputs.size(), " inputs: only noise fills several")};
  }
  Inputs inputs;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const TensorSpec& spec = graph.value(graph.inputs[i]).spec;
    const auto [n, h, w, c] = extents(spec);
    inputs.emplace_back(static_cast<std::size_t>(n * h * w * c));
    std::vector<std::uint8_t> bytes(spec.dtype == DType::UInt8 ? inputs.back().size() : 0);
    TensorRef tensor{bytes.empty() ? inputs.back().data() : nullptr, n, h, w, c, c};
    if (!bytes.empty()) tensor.bytes = bytes.data();
    Status filled;
    if (!o.photo.empty()) {
      filled = fill_from_photo(tensor, o.photo, model.preprocess);
    } else if (!o.input.empty()) {
      filled = fill_from_npy(tensor, o.input, file_order(model, graph.value(graph.inputs[i]).name, tensor, o.layout));
    } else {
      fill_with_noise(tensor, o.seed + i);
    }
    if (!filled) return filled.error();
    std::ranges::copy(bytes, inputs.back().begin());
  }
  return inputs;
}

Result<std::shared_ptr<const Executable>> prepare(const Graph& graph, const ModelOptions& run, Io& io) {
  DetectorOptions options;
  apply_run_options(run, options);
  options.log = io.debug_sink();
  options.warn = [&io](std::string_view line) { io.note(line); };
  return prepare_graph(graph, options);
}

Result<Comparison> compare(const CompareOptions& o, const Model& model, Io& io) {
  const auto inputs = make_inputs(o, model);
  if (!inputs) return inputs.error();
  const auto a = prepare(model.graph, o.model, io);
  if (!a) return a.error();
  ThreadPool pool((*a)->options().threads);
  if (!o.dump.empty()) {
    std::error_code error;
    fs::create_directories(o.dump, error);
    if (error) return Error{Code::io, text(o.dump, ": cannot make the folder: ", error.message())};
    TESSERA_TRY(write_dumps(*a, *inputs, o.dump, pool));
  }
  if (!o.against.empty()) {
    return compare_with_dumps(*a, *inputs, {o.against, o.layout, &model.axis_orders}, pool, o.tolerance);
  }
  ModelOptions other = o.b;
  other.threads = o.model.threads;
  const auto b = prepare(model.graph, other, io);
  if (!b) return b.error();
  return compare_executables(*a, *b, *inputs, pool, o.tolerance);
}

std::string row(const LayerDifference& d) {
  return fmt::format("{:<4} {:<28} {:>11.3e} {:>11.3e}  {:<18} {:>14.6e} {:>14.6e}  {} | {}\n", d.within ? "ok" : "OUT",
                     d.value, d.worst_absolute, d.worst_relative, fmt::format("({})", fmt::join(d.at, ",")), d.a, d.b,
                     d.impl_a.empty() ? "-" : d.impl_a, d.impl_b.empty() ? "-" : d.impl_b);
}

std::string as_text(const Comparison& c, const CompareOptions& o) {
  std::string out = fmt::format("{:<4} {:<28} {:>11} {:>11}  {:<18} {:>14} {:>14}  {}\n", "", "value", "absolute",
                                "relative", "at (n,h,w,c)", "A", "B", "kernels A | B");
  std::size_t outside = 0;
  for (const LayerDifference& d : c.layers) {
    outside += !d.within;
    if (!d.within || !o.failures_only) out += row(d);
  }
  if (!c.only_a.empty()) out += fmt::format("only in A: {}\n", fmt::join(c.only_a, ", "));
  if (!c.only_b.empty()) out += fmt::format("only in B: {}\n", fmt::join(c.only_b, ", "));
  const std::string limit = fmt::format("{:g} + {:g} * magnitude", o.tolerance.absolute, o.tolerance.relative);
  if (!c.first_outside) return out + fmt::format("{} values compared, all within {}\n", c.layers.size(), limit);
  return out + fmt::format("{} of {} values outside {}; the first is {}\n", outside, c.layers.size(), limit,
                           c.layers[*c.first_outside].value);
}

std::string as_json(const Comparison& c) {
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const LayerDifference& d : c.layers) {
    layers.push_back({{"value", d.value},
                      {"within", d.within},
                      {"absolute", d.worst_absolute},
                      {"relative", d.worst_relative},
                      {"at", d.at},
                      {"a", d.a},
                      {"b", d.b},
                      {"kernel_a", d.impl_a},
                      {"kernel_b", d.impl_b}});
  }
  nlohmann::ordered_json out{
      {"layers", layers}, {"only_a", c.only_a}, {"only_b", c.only_b}, {"first_outside", nullptr}};
  if (c.first_outside) out["first_outside"] = c.layers[*c.first_outside].value;
  return out.dump(2) + "\n";
}

int run_winograd(const CompareOptions& o, const Model& model, const DetectorOptions& options, Io& io) {
  const auto inputs = make_inputs(o, model);
  if (!inputs) return io.failed(inputs.error());
  const auto prepare = prepare_options(options);
  if (!prepare) return io.failed(prepare.error());
  ThreadPool pool(prepare->threads);
  const auto layers = winograd_errors(model.graph, *prepare, *inputs, pool);
  if (!layers) return io.failed(layers.error());
  const int printed = io.print(o.json ? winograd_json(*layers).dump(2) + "\n" : winograd_text(*layers));
  return printed == kOk && std::ranges::all_of(*layers, &WinogradError::within) ? kOk : kFailed;
}

int run(const CompareOptions& o, Io& io) {
  const auto options = detector_options(o.model, io);
  if (!options) return io.failed(options.error());
  const auto model = load_model(*options, true);
  if (!model) return io.failed(model.error());
  if (o.winograd) return run_winograd(o, *model, *options, io);
  const auto comparison = compare(o, *model, io);
  if (!comparison) return io.failed(comparison.error());
  const int printed = io.print(o.json ? as_json(*comparison) : as_text(*comparison, o));
  return printed == kOk && !comparison->first_outside ? kOk : kFailed;
}

void add_other_run(CLI::App& app, CompareOptions& o) {
  constexpr const char* kGroup = "Run B";
  o.b.device = "reference";
  add_run_options(app, o.b, "b-", kGroup);
  app.add_option("--against", o.against, "A folder of .npy files named like the values, instead of a run B")
      ->type_name("DIR")
      ->group(kGroup);
}

}  // namespace

Run add_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  add_model_options(app, options->model, true);
  auto* input = app.add_option("-i,--input", options->input, "Input tensor (default: noise)")->type_name("FILE.npy");
  app.add_option("--photo", options->photo, "A photo, prepared as the model wants it")
      ->type_name("PHOTO")
      ->excludes(input);
  app.add_option("--seed", options->seed, "Seed of the noise")->capture_default_str();
  add_layout_option(app, options->layout);
  app.add_option("--relative", options->tolerance.relative, "Tolerance over a value's largest magnitude")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
  app.add_option("--absolute", options->tolerance.absolute, "Tolerance added to it")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
  app.add_flag("--failures", options->failures_only, "Show only values outside the tolerance");
  app.add_option("--dump", options->dump, "Also write every value of run A as .npy into this folder (NHWC)")
      ->type_name("DIR");
  app.add_flag("--json", options->json, "JSON");
  auto* winograd = app.add_flag("--winograd", options->winograd,
                                "Instead: the error of each Winograd layer beside its bound and the plain sum's");
  add_run_options(app, options->model);
  add_other_run(app, *options);
  for (const char* other : {"--against", "--dump", "--failures", "--choices", "--save-choices"}) {
    winograd->excludes(app.get_option(other));
  }
  app.footer(kFooter);
  return [options](Io& io) { return run(*options, io); };
}

}  // namespace tessera::cli
