#include "pipeline/choices.h"

#include <nlohmann/json.hpp>

#include "base/file_bytes.h"
#include "base/text.h"
#include "device/chosen.h"
#include "pipeline/text_out.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxBytes = 16 << 20;
constexpr int kVersion = 1;

bool is_choice(const Json& node) {
  const auto is_text = [&](const char* key) { return node.contains(key) && node[key].is_string(); };
  return node.is_object() && is_text("node") && is_text("of") && is_text("kernel");
}

/// What is wrong with it, or "".
std::string fault(const Json& json) {
  if (json.is_discarded()) return "is no JSON";
  if (!json.is_object() || json.value("tessera_choices", Json()) != kVersion) {
    return text("is no file of choices; want \"tessera_choices\": ", kVersion);
  }
  for (const char* key : {"processor", "isa"}) {
    if (!json.value(key, Json()).is_string()) return text("has no text \"", key, "\"");
  }
  if (!json.value("threads", Json()).is_number_integer()) return "has no number \"threads\"";
  const Json nodes = json.value("nodes", Json());
  if (!nodes.is_array()) return "has no list \"nodes\"";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_choice(nodes[i])) return text("nodes[", i, "]: want texts \"node\", \"of\" and \"kernel\"");
  }
  return "";
}

}  // namespace

Result<ChoicesFile> read_choices(const std::string& path) {
  const auto file = FileBytes::open(path, kMaxBytes);
  if (!file) return file.error();
  const auto* bytes = reinterpret_cast<const char*>(file->bytes().data());
  const Json json = Json::parse(bytes, bytes + file->bytes().size(), nullptr, false);
  if (const std::string why = fault(json); !why.empty()) return Error{Code::corrupt, text(path, ": ", why)};
  ChoicesFile out{json["processor"].get<std::string>(), json["isa"].get<std::string>(), json["threads"].get<int>(), {}};
  for (const Json& node : json["nodes"]) {
    out.nodes.push_back(
        {node["node"].get<std::string>(), node["of"].get<std::string>(), node["kernel"].get<std::string>()});
  }
  return out;
}

Status write_choices(const Executable& executable, const std::string& path) {
  const CpuInfo cpu = CpuInfo::detect();
  const PrepareOptions& options = executable.options();
  Json out{{"tessera_choices", kVersion},
           {"processor", cpu.name()},
           {"isa", to_string(options.isa ? cpu.limited_to(*options.isa).best() : cpu.best())},
           {"threads", options.threads},
           {"nodes", Json::array()}};
  const Graph& graph = executable.graph();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeChoice& choice = executable.choices()[i];
    if (choice.impl.empty() || !std::holds_alternative<ConvAttrs>(graph.nodes[i].attrs)) continue;
    out["nodes"].push_back(
        {{"node", choice.node}, {"of", describe_node(graph, graph.nodes[i])}, {"kernel", choice.impl}});
  }
  auto file = TextOut::file(path);
  if (!file) return file.error();
  TESSERA_TRY(file->write(out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
  return file->close();
}

}  // namespace tessera
