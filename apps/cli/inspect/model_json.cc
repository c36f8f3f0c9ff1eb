#include "inspect/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace tessera::cli {
namespace {

Json shape_json(const Shape& shape) {
  Json out = Json::array();
  for (const std::int64_t extent : shape) out.push_back(extent);
  return out;
}

Json preprocess_json(const Preprocess& p) {
  return {{"width", p.width},
          {"height", p.height},
          {"channels", p.channels},
          {"resize", p.resize == ResizeMode::letterbox ? "letterbox" : "stretch"},
          {"align", p.align == PhotoAlign::top_left ? "top_left" : "center"},
          {"fill", p.fill},
          {"order", p.order == ColorOrder::bgr ? "bgr" : "rgb"},
          {"scale", p.scale},
          {"mean", p.mean},
          {"std", p.std},
          {"text", describe(p)}};
}

Json layer_json(const LayerFacts& layer) {
  return {{"name", layer.name},
          {"op", layer.op},
          {"detail", layer.detail},
          {"inputs", layer.inputs},
          {"shape", shape_json(layer.shape)},
          {"parameters", layer.parameters},
          {"macs", layer.macs}};
}

bool overlap(const Buffer& a, const Buffer& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

}  // namespace

Json model_json(const ModelFacts& facts) {
  Json out{{"name", facts.name},
           {"format", facts.format},
           {"parameters", facts.parameters},
           {"macs", facts.macs},
           {"input", preprocess_json(facts.preprocess)},
           {"outputs", facts.outputs},
           {"class_names", facts.class_names}};
  if (facts.detector) {
    out["detector"] = {{"family", facts.detector->family},
                       {"classes", facts.detector->classes},
                       {"heads", facts.detector->heads.size()},
                       {"activated", facts.detector->activated}};
  }
  out["layers"] = Json::array();
  for (const LayerFacts& layer : facts.layers) out["layers"].push_back(layer_json(layer));
  return out;
}

ReuseFacts reuse_facts(const MemoryPlan& plan) {
  ReuseFacts facts;
  for (const Buffer& buffer : plan.buffers) {
    const auto before = [&](const Buffer& other) { return other.last < buffer.first && overlap(buffer, other); };
    facts.reusing += std::ranges::any_of(plan.buffers, before);
  }
  std::vector<std::size_t> tenants(plan.buffers.size());
  std::size_t placed = 0;
  for (const Placement& placement : plan.placements) {
    if (placement.buffer == kNone) continue;
    ++placed;
    ++tenants[static_cast<std::size_t>(placement.buffer)];
  }
  facts.views = placed - static_cast<std::size_t>(std::ranges::count_if(tenants, [](auto n) { return n > 0; }));
  return facts;
}

std::string values_in(const Executable& executable, std::int32_t buffer) {
  const MemoryPlan& plan = executable.memory();
  std::string out;
  for (std::size_t i = 0; i < plan.placements.size(); ++i) {
    const Placement& placement = plan.placements[i];
    if (placement.buffer != buffer) continue;
    const Value& value = executable.graph().values[i];
    append_text(out, text(out.empty() ? "" : ", ", value.name));
    if (value.spec.shape.rank() == 4 && placement.channel > 0) append_text(out, text("@", placement.channel));
  }
  return out;
}

std::vector<std::string> node_names(const Executable& executable, const Chain& chain) {
  std::vector<std::string> out;
  for (const std::int32_t node : chain.nodes)
    out.push_back(executable.graph().nodes[static_cast<std::size_t>(node)].name);
  return out;
}

std::string mapped_text(const Executable& executable) {
  if (executable.options().weights_cache.empty()) return "";
  return fmt::format(", {:.2f} MiB of them mapped", static_cast<double>(executable.mapped_weight_bytes()) / (1 << 20));
}

Json plan_json(const Executable& executable) {
  const MemoryPlan& plan = executable.memory();
  const ReuseFacts reuse = reuse_facts(plan);
  Json out{{"device", executable.options().device},
           {"exact", executable.options().exact},
           {"fallback_nodes", executable.fallback_nodes()},
           {"weight_bytes", executable.weight_bytes()},
           {"mapped_weight_bytes", executable.mapped_weight_bytes()},
           {"arena_bytes", plan.arena_bytes},
           {"aside_bytes", plan.aside_bytes},
           {"lower_bound_bytes", plan.lower_bound_bytes},
           {"no_reuse_bytes", plan.no_reuse_bytes},
           {"buffers_reusing", reuse.reusing},
           {"views", reuse.views},
           {"buffers", Json::array()},
           {"nodes", Json::array()},
           {"chains", Json::array()}};
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer& b = plan.buffers[i];
    out["buffers"].push_back({{"offset", b.offset},
                              {"bytes", b.bytes},
                              {"first", b.first},
                              {"last", b.last},
                              {"values", values_in(executable, static_cast<std::int32_t>(i))}});
  }
  for (const NodeChoice& choice : executable.choices()) {
    out["nodes"].push_back({{"name", choice.node}, {"kernel", choice.impl}, {"skipped", choice.skipped}});
  }
  for (const Chain& chain : executable.chains()) out["chains"].push_back(node_names(executable, chain));
  return out;
}

}  // namespace tessera::cli
