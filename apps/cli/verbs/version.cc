#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/cpu_features.h"
#include "device/device.h"
#include "embedded/embedded.h"
#include "model/formats.h"
#include "verbs.h"

namespace tessera::cli {
namespace {

template <class Range>
std::string names_of(const Range& range) {
  std::string names;
  for (const auto* entry : range) names += fmt::format("{}{}", names.empty() ? "" : ", ", entry->name);
  return names;
}

int run(bool json, Io& io) {
  const CpuInfo cpu = CpuInfo::detect();
  const std::string devices_text = names_of(devices()), formats_text = names_of(formats());
  const std::string embedded = embedded_model() ? std::string(embedded_model()->name) : "none";
  if (json) {
    const nlohmann::ordered_json out{{"version", TESSERA_VERSION},   {"processor", cpu.name()},
                                     {"isa", to_string(cpu.best())}, {"processors", allowed_cpus()},
                                     {"devices", devices_text},      {"formats", formats_text},
                                     {"embedded_model", embedded}};
    return io.print(out.dump(2) + "\n");
  }
  return io.print(fmt::format(
      "tessera {}\nprocessor  {}, {} usable, best isa {}\ndevices    {}\nformats    {}\nembedded   {}\n",
      TESSERA_VERSION, cpu.name(), allowed_cpus(), to_string(cpu.best()), devices_text, formats_text, embedded));
}

}  // namespace

Run add_version(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "JSON");
  return [json](Io& io) { return run(*json, io); };
}

}  // namespace tessera::cli
