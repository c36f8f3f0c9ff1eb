// Any bytes as a cfg: parsed and built into a graph without constants, as load_model does before it reads weights. What
// the builder accepts must pass shape inference with zero-filled constants when these stay small.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "model/darknet/builder.h"

namespace {

using namespace tessera;

/// Gives every slot its constants; false when they would take more than a few megabytes.
bool fill_zero(darknet::Blueprint& blueprint) {
  std::int64_t total = 0;
  for (const auto& slot : blueprint.slots) {
    if ((total += slot.floats()) > 1 << 20) return false;
  }
  const auto zeros = [](std::int64_t n) {
    return std::make_shared<const std::vector<float>>(static_cast<std::size_t>(n));
  };
  for (const auto& slot : blueprint.slots) {
    if (slot.batch_norm != kNone) {
      blueprint.graph.nodes[slot.batch_norm].attrs =
          BatchNormAttrs{zeros(slot.oc), zeros(slot.oc), zeros(slot.oc), zeros(slot.oc)};
    }
    if (slot.conv != kNone) std::get<ConvAttrs>(blueprint.graph.nodes[slot.conv].attrs).weights = zeros(slot.weights);
  }
  return true;
}

/// The builder's own extents and the graph's must agree.
void check_shapes(const darknet::Blueprint& blueprint) {
  for (const darknet::Layer& layer : blueprint.layers) {
    const Extents shape = extents(blueprint.graph.value(layer.value).spec);
    if (shape.h != layer.h || shape.w != layer.w || shape.c != layer.c) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto cfg = darknet::parse_cfg({reinterpret_cast<const char*>(data), size}, "fuzz.cfg");
  if (!cfg) return 0;
  auto blueprint = darknet::build(*cfg, std::nullopt);
  if (!blueprint || !fill_zero(*blueprint)) return 0;
  if (infer_shapes(blueprint->graph)) check_shapes(*blueprint);
  return 0;
}
