#include "model/darknet/darknet.h"

#include "base/text.h"
#include "model/darknet/builder.h"
#include "model/darknet/weights.h"
#include "model/input_size.h"
#include "model/untrusted_text.h"

namespace tessera::darknet {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A cfg's first line that says anything is [net] (or the section that wrongly stands there).
bool recognizes(std::span<const std::byte> model) {
  std::string_view rest = as_text(model.first(std::min<std::size_t>(model.size(), 65536)));
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  while (!rest.empty()) {
    std::string_view line = next_line(rest);
    line = trim(line.substr(0, line.find_first_of("#;")));
    if (!line.empty()) return line.front() == '[';
  }
  return false;
}

/// Builds for the wished size. When the cfg's own size works, the strides it implies are checked first, for a better
/// error.
Result<Blueprint> build_sized(const Cfg& cfg, const std::optional<InputSize>& size) {
  if (size) {
    if (const auto own = build(cfg, std::nullopt)) TESSERA_TRY(check_input_size(own->graph, *size));
  }
  return build(cfg, size);
}

Result<Model> load(const ModelBytes& bytes) {
  if (bytes.model.size() > static_cast<std::size_t>(kMaxTextBytes)) {
    return Error{Code::limit_exceeded,
                 text(bytes.name, ": a cfg of ", bytes.model.size(), " bytes; at most ", kMaxTextBytes)};
  }
  const auto cfg = parse_cfg(as_text(bytes.model), bytes.name);
  if (!cfg) return cfg.error();
  auto blueprint = build_sized(*cfg, bytes.size);
  if (!blueprint) return blueprint.error();
  TESSERA_TRY(fill_weights(*cfg, bytes.weights, bytes.file, bytes.log, *blueprint));
  Model model;
  model.name = bytes.name;
  model.format = kDarknet.name;
  model.graph = std::move(blueprint->graph);
  model.preprocess = blueprint->preprocess;
  model.detector = std::move(blueprint->detector);
  return model;
}

}  // namespace

constexpr Format kDarknet{"darknet", ".cfg", "Darknet cfg with a weights file beside it", true, recognizes, load};

}  // namespace tessera::darknet
