#include "bench/ladder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "graph/passes/passes.h"
#include "graph/replace_activation.h"

namespace tessera::cli {
namespace {

/// Something that `disabled` switches off.
struct Switch {
  std::string name, what;
  std::vector<std::string> off;  ///< words of PrepareOptions::disabled
};

template <std::size_t... I>
std::map<std::string, std::string> naive_kernels(const DeviceInfo& device, std::index_sequence<I...>) {
  std::map<std::string, std::string> out;
  const auto add = [&](const Attrs& op) {
    if (!device.impls(op).empty()) out[op_name(op)] = "naive";
  };
  (add(Attrs(std::in_place_index<I>)), ...);
  return out;
}

// "conv_winograd_avx2" is of the family "winograd".
std::string family_of(const NodeImplInfo& impl) {
  std::string name = impl.name;
  const std::string isa = text("_", to_string(impl.isa));
  if (name.ends_with(isa)) name.resize(name.size() - isa.size());
  return name.starts_with("conv_") ? name.substr(5) : name;
}

// Families of convolutions that some node takes, in the device's order. The one before the plain loops takes whatever
// the others leave and is no switch.
std::vector<Switch> families(const DeviceInfo& device, const Executable& full) {
  const auto impls = device.impls(ConvAttrs{});
  std::set<std::string> taken;
  for (const NodeChoice& choice : full.choices()) taken.insert(choice.impl);
  std::vector<Switch> out;
  std::set<std::string> wanted;
  for (const NodeImplInfo& impl : impls.first(impls.size() - 1)) {
    const std::string family = family_of(impl);
    if (family == family_of(impls[impls.size() - 2])) continue;
    auto at = std::ranges::find(out, family, &Switch::name);
    if (at == out.end()) at = out.insert(at, {family, text(family, " convolutions"), {}});
    at->off.push_back(impl.name);
    if (taken.contains(impl.name)) wanted.insert(family);
  }
  std::erase_if(out, [&](const Switch& s) { return !wanted.contains(s.name); });
  return out;
}

// Those that find a place in this graph when all before them have run.
Result<std::vector<Switch>> useful_passes(Graph graph, const std::vector<std::string>& disabled) {
  std::vector<Switch> out;
  for (const Pass& pass : passes()) {
    if (std::ranges::find(disabled, pass.name) != disabled.end()) continue;
    const auto places = pass.run(graph);
    if (!places) return places.error();
    if (*places > 0) out.push_back({pass.name, text(pass.summary, " (", *places, " places)"), {pass.name}});
  }
  return out;
}

// Levels that convolutions have kernels for, lowest first: each supported one but "none".
std::vector<Isa> vector_levels(const DeviceInfo& device, const CpuInfo& cpu) {
  std::set<Isa> levels;
  for (const NodeImplInfo& impl : device.impls(ConvAttrs{})) {
    if (impl.isa != Isa::none && cpu.supports(impl.isa)) levels.insert(impl.isa);
  }
  return {levels.begin(), levels.end()};
}

/// Everything plan_ladder knows about the case.
struct Known {
  PrepareOptions full;
  const DeviceInfo* device;
  std::vector<Isa> levels;
  std::vector<Switch> switches;  ///< in the order in which they are switched on
};

void add_memory_switches(std::vector<Switch>& switches, const std::vector<std::string>& disabled, std::size_t chains) {
  const auto add = [&](const char* name, const std::string& what) {
    if (std::ranges::find(disabled, name) == disabled.end()) switches.push_back({name, what, {name}});
  };
  add("reuse", "the planner lays values over each other");
  add("zero-copy", "concats, slices and reshapes in place");
  if (chains > 0) add("chains", text("layers computed together band by band (", chains, " chains)"));
}

PrepareOptions without(PrepareOptions options, std::span<const Switch> off) {
  for (const Switch& s : off) options.disabled.insert(options.disabled.end(), s.off.begin(), s.off.end());
  return options;
}

std::string threads_text(int threads) { return text(threads, threads == 1 ? " thread" : " threads"); }

std::vector<Rung> climb(const Known& known) {
  PrepareOptions options = without(known.full, known.switches);
  options.forced_kernels = naive_kernels(*known.device, std::make_index_sequence<std::variant_size_v<Attrs>>());
  options.threads = 1;
  std::vector<Rung> out{{"naive, 1 thread", "plain loops, every pass and trick off", options}};
  options.threads = known.full.threads;
  if (options.threads > 1) {
    out.push_back({"naive, " + threads_text(options.threads), "the same on all threads", options});
  }
  options.forced_kernels = known.full.forced_kernels;
  options.isa = Isa::none;
  out.push_back({"plain C++ kernels", "blocked and packed, no instruction set named", options});
  for (const Isa level : known.levels) {
    options.isa = level;
    out.push_back({to_string(level), text("kernels for ", to_string(level)), options});
  }
  for (std::size_t on = 1; on <= known.switches.size(); ++on) {
    options = without(known.full, std::span(known.switches).subspan(on));
    out.push_back({known.switches[on - 1].name, known.switches[on - 1].what, options});
  }
  return out;
}

std::vector<Rung> alone(const Known& known) {
  std::vector<Rung> out{{"everything on", "as it runs when nobody switches anything", known.full}};
  if (known.full.threads > 1) {
    PrepareOptions options = known.full;
    options.threads = 1;
    out.push_back({"threads", "one thread", options});
  }
  if (!known.levels.empty()) {
    PrepareOptions options = known.full;
    options.isa = known.levels.size() > 1 ? known.levels[known.levels.size() - 2] : Isa::none;
    out.push_back({to_string(known.levels.back()), text("kernels for ", to_string(*options.isa), " instead"), options});
  }
  for (const Switch& s : known.switches) out.push_back({s.name, s.what, without(known.full, {&s, 1})});
  return out;
}

}  // namespace

Result<Ladder> plan_ladder(const Graph& graph, const PrepareOptions& full) {
  const auto executable = Executable::prepare(graph, full);
  if (!executable) return executable.error();
  const auto device = find_device(full.device);
  if (!device) return device.error();
  Graph replaced = graph;
  TESSERA_TRY(replace_activations(replaced, full.replaced));
  const auto useful = useful_passes(std::move(replaced), full.disabled);
  if (!useful) return useful.error();

  const CpuInfo cpu = CpuInfo::detect();
  Known known{full, *device, vector_levels(**device, full.isa ? cpu.limited_to(*full.isa) : cpu),
              families(**device, **executable)};
  known.full.threads = (*executable)->options().threads;
  known.full.log = nullptr;  // a choice per node and rung is no reading
  known.switches.insert(known.switches.end(), useful->begin(), useful->end());
  add_memory_switches(known.switches, full.disabled, (*executable)->chains().size());
  return Ladder{climb(known), alone(known)};
}

}  // namespace tessera::cli
