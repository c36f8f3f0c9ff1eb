#include "pipeline/prepare.h"

#include <chrono>

#include "base/text.h"
#include "pipeline/choices.h"

namespace tessera {
namespace {

constexpr const char* kWantChoices = "want choices saved here (--choose measured --save-choices), or another --isa";

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Another processor or number of threads is told: the kernels are valid there, only perhaps not the fastest.
void tell_differences(const ChoicesFile& file, const CpuInfo& cpu, const std::string& path,
                      const PrepareOptions& prepare) {
  if (!prepare.log) return;
  const auto tell = [&](const auto& there, const auto& here) {
    prepare.log(LogLevel::info, text("choices ", path, ": made for ", there, ", here is ", here));
  };
  if (file.processor != cpu.name()) tell(file.processor, cpu.name());
  if (file.threads != prepare.threads) tell(text(file.threads, " threads"), prepare.threads);
}

Status load_choices(const std::string& path, PrepareOptions& prepare) {
  auto file = read_choices(path);
  if (!file) return file.error();
  const CpuInfo cpu = CpuInfo::detect();
  const char* isa = to_string(prepare.isa ? cpu.limited_to(*prepare.isa).best() : cpu.best());
  if (file->isa != isa) {
    return Error{Code::unsupported,
                 text("choices ", path, ": made for isa ", file->isa, ", here is ", isa, "; ", kWantChoices)};
  }
  tell_differences(*file, cpu, path, prepare);
  prepare.chosen = std::move(file->nodes);
  return {};
}

LogSink log_sink(const DetectorOptions& options) {
  if (!options.log && !options.warn) return {};
  return [log = options.log, warn = options.warn](LogLevel level, std::string_view line) {
    const auto& told = level == LogLevel::warning ? warn : log;
    if (told) told(line);
  };
}

}  // namespace

Result<PrepareOptions> prepare_options(const DetectorOptions& options) {
  PrepareOptions prepare;
  prepare.device = options.device;
  if (!options.isa.empty()) {
    prepare.isa = parse_isa(options.isa);
    if (!prepare.isa) {
      return Error{Code::invalid_argument,
                   text("isa '", options.isa, "': want scalar, avx2, avx512, avx512_vnni, avx512_bf16 or neon")};
    }
  }
  if (options.threads < 0)
    return Error{Code::invalid_argument, text("threads is ", options.threads, ": want 0 or more")};
  prepare.threads = options.threads > 0 ? options.threads : allowed_cpus();
  prepare.exact = options.exact;
  prepare.disabled = options.disabled;
  prepare.forced_kernels = options.forced_kernels;
  prepare.replaced = options.replaced;
  prepare.log = log_sink(options);
  prepare.weights_cache = options.weights_cache;
  if (options.choose_measured) prepare.clock = seconds_now;
  if (!options.choices.empty()) TESSERA_TRY(load_choices(options.choices, prepare));
  return prepare;
}

Result<std::shared_ptr<const Executable>> prepare_graph(Graph graph, const DetectorOptions& options) {
  const auto prepare = prepare_options(options);
  if (!prepare) return prepare.error();
  auto executable = Executable::prepare(std::move(graph), *prepare);
  if (!executable) return executable.error();
  if (!options.save_choices.empty()) TESSERA_TRY(write_choices(**executable, options.save_choices));
  return executable;
}

}  // namespace tessera
