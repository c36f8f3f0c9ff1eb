#include "common/model_options.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/cpu_features.h"
#include "base/text.h"
#include "device/device.h"
#include "embedded/embedded.h"
#include "pull/cache.h"

namespace tessera::cli {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::optional<Size> read_size(std::string_view text) {
  const auto cross = text.find('x');
  const auto width = whole_number(text.substr(0, cross));
  const auto height = cross == std::string_view::npos ? width : whole_number(text.substr(cross + 1));
  if (!width || !height) return std::nullopt;
  return Size{*width, *height};
}

/// One value per occurrence; "a,b" is two.
CLI::Option* add_list(CLI::App& verb, const std::string& name, std::vector<std::string>& values, const char* help) {
  return verb.add_option(name, values, help)
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string device_names() {
  std::string names;
  for (const DeviceInfo* device : devices()) append_text(names, text(names.empty() ? "" : ", ", device->name));
  return names;
}

/// "a=b" as {a, b}.
std::map<std::string, std::string> pairs(const std::vector<std::string>& words) {
  std::map<std::string, std::string> out;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    out[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return out;
}

std::string check_replacement(const std::string& word) {
  const auto equals = word.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < word.size()) return "";
  return tessera::text("'", word, "' replaces nothing: want ACTIVATION=ANOTHER, as in mish=hard_mish");
}

void add_choice_options(CLI::App& verb, ModelOptions& options, const std::string& dashes, const std::string& group) {
  auto* choose = verb.add_option(dashes + "choose", options.choose,
                                 "How a convolution gets its kernel: by a model of the cost (the same on every run) or "
                                 "measured here, when loading")
                     ->type_name("HOW")
                     ->check(CLI::IsMember({"model", "measured"}).description(""))
                     ->capture_default_str()
                     ->group(group);
  verb.add_option(dashes + "choices", options.choices,
                  "The kernels that --save-choices wrote, refused where they do not fit")
      ->type_name("FILE")
      ->group(group)
      ->excludes(choose);
  verb.add_option(dashes + "save-choices", options.save_choices, "Write the kernel of each convolution")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

std::string check_size(const std::string& text) {
  return read_size(text) ? "" : tessera::text("'", text, "' is no size: want 416 or 640x384 (width x height)");
}
std::string check_kernel(const std::string& text) {
  const auto equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) return "";
  return tessera::text("'", text, "' is no choice of kernel: want OPERATOR=NAME, as in conv=naive");
}
std::string check_isa(const std::string& text) {
  return parse_isa(text)
             ? ""
             : tessera::text("'", text, "' is no isa: want scalar, avx2, avx512, avx512_vnni, avx512_bf16 or neon");
}
std::string check_device(const std::string& text) {
  return find_device(text) ? "" : tessera::text("'", text, "' is no device: want one of ", device_names());
}
Size parse_size(const std::string& text) { return read_size(text).value_or(Size{}); }

void add_model_options(CLI::App& verb, ModelOptions& options, bool positional) {
  const char* help = "A .cfg, .onnx or .tessera file, or the name of a pulled model; without it the embedded model";
  verb.add_option(positional ? "model,--model" : "-m,--model", options.model, help)->type_name("MODEL");
  verb.add_option("--weights", options.weights, "Darknet weights (default: the .weights file beside the .cfg)")
      ->type_name("FILE");
  verb.add_option("--names", options.names, "Class names, one a line; as many as the model has classes")
      ->type_name("FILE");
  verb.add_option("--family", options.family,
                  "ONNX: the kind of detector (yolov8, yolox, ...) when its structure does not tell")
      ->type_name("NAME");
  verb.add_option("--heads", options.heads,
                  "ONNX, with --family: raw heads by name, a level after the other, as box:score,...")
      ->type_name("LIST");
  verb.add_option("--size", options.size, "Network input, 416 or 640x384 (width x height), instead of the model's own")
      ->type_name("SIZE")
      ->check(check_size);
  verb.add_option("--pixels", options.pixels,
                  "What the network reads: f32, pixels as resizing gives them, or u8, rounded to bytes before")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"f32", "u8"}).description(""))
      ->capture_default_str();
}

void add_run_options(CLI::App& verb, ModelOptions& options, const std::string& prefix, const std::string& group) {
  const std::string dashes = "--" + prefix;
  if (prefix.empty()) {
    verb.add_option("--threads", options.threads, "Threads (default: all processors this process may use)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024).description(""))
        ->group(group);
  }
  verb.add_option(dashes + "device", options.device, text("Device: ", device_names()))
      ->type_name("NAME")
      ->check(check_device)
      ->capture_default_str()
      ->group(group);
  verb.add_option(dashes + "isa", options.isa,
                  "Highest instruction set: scalar, avx2, avx512, avx512_vnni, avx512_bf16, neon")
      ->type_name("NAME")
      ->check(check_isa)
      ->group(group);
  verb.add_flag(dashes + "exact", options.exact,
                "No Winograd convolutions: their errors are up to some six times those of the plain sums (tessera "
                "compare --winograd), for up to half the time")
      ->group(group);
  add_choice_options(verb, options, dashes, group);
  verb.add_option(dashes + "weights-cache", options.weights_cache,
                  "Directory to keep packed weights in and to map them from; may be deleted at any time")
      ->type_name("DIR")
      ->group(group);
  add_list(verb, dashes + "disable", options.disabled,
           "Switch off a pass, 'reuse', 'zero-copy', 'chains' or an implementation; may be repeated")
      ->type_name("NAME")
      ->group(group);
  add_list(verb, dashes + "kernel", options.kernels,
           "Force an operator's implementation, as in conv=naive; may be repeated")
      ->type_name("OP=NAME")
      ->check(check_kernel)
      ->group(group);
  add_list(verb, dashes + "replace", options.replaced,
           "Another activation in the place of one, as in mish=hard_mish, to see what it costs")
      ->type_name("A=B")
      ->check(check_replacement)
      ->group(group);
}

void apply_run_options(const ModelOptions& options, DetectorOptions& out) {
  out.device = options.device;
  out.isa = options.isa;
  out.threads = options.threads;
  out.exact = options.exact;
  out.choose_measured = options.choose == "measured";
  out.choices = options.choices;
  out.save_choices = options.save_choices;
  out.weights_cache = options.weights_cache;
  out.disabled = options.disabled;
  out.forced_kernels = pairs(options.kernels);
  out.replaced = pairs(options.replaced);
}

std::string model_label(const ModelOptions& options) {
  return options.model.empty() ? std::string(embedded_model_name()) : options.model;
}

Result<DetectorOptions> detector_options(const ModelOptions& options, Io& io) {
  DetectorOptions out;
  out.weights = options.weights;
  out.names = options.names;
  out.family = options.family;
  out.heads = options.heads;
  std::error_code ignored;
  if (options.model.empty()) {
    out.in_memory = embedded_model();
    if (!out.in_memory) return Error{Code::not_found, "no embedded model in this build: give --model"};
  } else if (std::filesystem::exists(options.model, ignored)) {
    out.model = options.model;
  } else if (const auto pulled = find_pulled(options.model)) {
    out.model = pulled->model;
    if (out.weights.empty()) out.weights = pulled->weights;
    if (out.names.empty()) out.names = pulled->names;
  } else {
    return Error{Code::not_found, text(options.model, ": ", why_not_pulled(options.model))};
  }
  const Size size = parse_size(options.size);
  out.width = size.width;
  out.height = size.height;
  out.byte_pixels = options.pixels == "u8";
  apply_run_options(options, out);
  out.log = io.debug_sink();
  out.warn = [&io](std::string_view line) { io.note(line); };
  return out;
}

}  // namespace tessera::cli
