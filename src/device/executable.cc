#include <algorithm>

#include "base/text.h"
#include "device/choose.h"
#include "device/chosen.h"
#include "device/executable_impl.h"
#include "device/measured.h"
#include "device/packed_cache.h"
#include "graph/passes/passes.h"
#include "graph/replace_activation.h"

namespace tessera {
namespace {

constexpr int kMaxThreads = 1024;

Result<CpuInfo> allowed_cpu(const PrepareOptions& options) {
  const CpuInfo cpu = CpuInfo::detect();
  if (!options.isa) return cpu;
  if (!cpu.supports(*options.isa)) {
    return Error{Code::unsupported, text("isa ", to_string(*options.isa), ": this processor (", cpu.name(),
                                         ") does not have it, its best is ", to_string(cpu.best()))};
  }
  return cpu.limited_to(*options.isa);
}

Status check_threads(int threads) {
  if (threads >= 0 && threads <= kMaxThreads) return {};
  return Error{Code::invalid_argument, text("threads: ", threads, ", want 0 (all allowed) to ", kMaxThreads)};
}

void log_choice(const LogSink& log, const Node& node, const NodeChoice& choice) {
  if (!log) return;
  std::string line = text(op_name(node.attrs), " '", node.name, "': ", choice.impl);
  for (const std::string& skipped : choice.skipped) line += text("; skipped ", skipped);
  log(LogLevel::debug, line);
}

// A kernel that was forced and took none of its operator's nodes: the caller measures something else than intended.
Status check_forced(const Chooser& chooser, const Graph& graph, std::span<const NodeChoice> choices) {
  for (const auto& [op, impl] : chooser.forced) {
    int nodes = 0, took = 0;
    std::string last_reason;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (op != op_name(graph.nodes[i].attrs) || choices[i].impl.empty()) continue;
      ++nodes;
      took += choices[i].impl == impl->name ? 1 : 0;
      if (!choices[i].skipped.empty()) last_reason = choices[i].skipped.front();
    }
    if (nodes > 0 && took == 0) {
      return Error{Code::unsupported, text("kernel ", op, "=", impl->name, ": takes none of ", nodes,
                                           " nodes (the last: ", last_reason, ")")};
    }
  }
  return {};
}

// What a kernel needs it has packed or holds itself.
void drop_constants(Node& node) {
  if (auto* conv = std::get_if<ConvAttrs>(&node.attrs)) {
    conv->weights.drop();
    conv->bias.drop();
  }
}

}  // namespace

Result<std::shared_ptr<const Executable>> Executable::prepare(Graph graph, const PrepareOptions& options) {
  const auto device = find_device(options.device);
  if (!device) return device.error();
  const auto cpu = allowed_cpu(options);
  if (!cpu) return cpu.error();
  TESSERA_TRY(check_threads(options.threads));
  const auto disabled = sort_disabled(**device, options.disabled);
  if (!disabled) return disabled.error();
  auto forced = find_forced(**device, *cpu, options.forced_kernels);
  if (!forced) return forced.error();

  auto impl = std::make_unique<Impl>();
  impl->options = options;
  if (options.threads == 0) impl->options.threads = allowed_cpus();
  impl->graph = std::move(graph);
  TESSERA_TRY(replace_activations(impl->graph, options.replaced));
  TESSERA_TRY(verify(impl->graph));
  TESSERA_TRY(run_passes(impl->graph, disabled->passes, options.log));
  MemoryOptions memory_options = disabled->memory;
  memory_options.l2_bytes = cpu->l2_bytes();
  auto memory = plan_memory(impl->graph, memory_options);
  if (!memory) return memory.error();
  impl->memory = *std::move(memory);
  TESSERA_TRY(verify_memory(impl->graph, impl->memory));
  TESSERA_TRY(impl->choose_all(Chooser{*device, disabled->impls, *std::move(forced), options.exact}, *cpu));
  impl->join_chains(*cpu);
  return std::shared_ptr<const Executable>(new Executable(std::move(impl)));
}

namespace {

std::vector<std::int64_t> pixel_strides(const MemoryPlan& memory, const Node& node) {
  std::vector<std::int64_t> out;
  for (const ValueId id : node.inputs) out.push_back(memory.placements[static_cast<std::size_t>(id)].pixel_stride);
  out.push_back(memory.placements[static_cast<std::size_t>(node.output)].pixel_stride);
  return out;
}

/// A node's implementation: what was forced, else what was chosen before, else the fastest, else the model's.
struct Choosing {
  const Chooser& chooser;
  std::map<std::string, const NodeImplInfo*> chosen;
  std::optional<MeasuredChoice> measured;

  Result<const NodeImplInfo*> choose(const ImplContext& context, const MemoryPlan& memory, NodeChoice& choice) {
    const Node& node = *context.node;
    if (chooser.forced.contains(op_name(node.attrs))) return chooser.choose(context, choice);
    const auto before = chosen.find(node.name);
    if (before != chosen.end()) return take_chosen(chooser, context, *before->second, choice);
    if (!measured || !std::holds_alternative<ConvAttrs>(node.attrs)) return chooser.choose(context, choice);
    return measured->choose(chooser, context, pixel_strides(memory, node), choice);
  }
};

Result<Choosing> make_choosing(const Chooser& chooser, const Graph& graph, const PrepareOptions& options,
                               const CpuInfo& cpu) {
  auto chosen = find_chosen(*chooser.device, graph, options.chosen);
  if (!chosen) return chosen.error();
  Choosing out{chooser, *std::move(chosen), std::nullopt};
  if (!options.clock) return out;
  auto measured = MeasuredChoice::create(options.clock, options.threads, cpu.l2_bytes());
  if (!measured) return measured.error();
  out.measured = *std::move(measured);
  return out;
}

/// Into how many tasks the nodes are cut that make each value.
class ValueTasks {
 public:
  explicit ValueTasks(const Graph& graph) : tasks_(graph.values.size(), 1) {}

  void made(const Node& node, std::size_t tasks) { tasks_[static_cast<std::size_t>(node.output)] = tasks; }
  /// By nobody: its inputs are its parts.
  void passed_on(const Node& node) {
    std::size_t tasks = 1;
    for (const ValueId id : node.inputs) tasks = std::max(tasks, tasks_[static_cast<std::size_t>(id)]);
    made(node, tasks);
  }
  /// Of use to the node. Where it only moves numbers, or does little with each, and one thread has made them all, that
  /// thread has them in its cache: for another to get them from there takes longer than the work.
  int useful_threads(const Node& node, int threads) const {
    const bool computes =
        std::holds_alternative<ConvAttrs>(node.attrs) || std::holds_alternative<MatMulAttrs>(node.attrs);
    if (computes || node.inputs.empty()) return threads;
    return tasks_[static_cast<std::size_t>(node.inputs[0])] > 1 ? threads : 1;
  }

 private:
  std::vector<std::size_t> tasks_;
};

}  // namespace

Status Executable::Impl::choose_all(const Chooser& chooser, const CpuInfo& cpu) {
  auto choosing = make_choosing(chooser, graph, options, cpu);
  if (!choosing) return choosing.error();
  choices.resize(graph.nodes.size());
  steps.resize(graph.nodes.size());
  ValueTasks tasks(graph);
  PackedCache cache(options.weights_cache, options.log);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    choices[i].node = node.name;
    if (const auto* constant = std::get_if<ConstantAttrs>(&node.attrs)) {
      weight_bytes += static_cast<std::int64_t>(constant->data->size() * sizeof(float));
    }
    const bool alias = memory.placements[static_cast<std::size_t>(node.output)].alias;
    if (alias) tasks.passed_on(node);
    if (alias || std::holds_alternative<InputAttrs>(node.attrs)) continue;
    const ImplContext context{&graph, &node, cpu, tasks.useful_threads(node, options.threads)};
    const auto info = choosing->choose(context, memory, choices[i]);
    if (!info) return info.error();
    log_choice(options.log, node, choices[i]);
    const auto impls = chooser.device->impls(node.attrs);
    fallback_nodes += *info == &impls.back() && options.device != "reference" ? 1 : 0;
    steps[i] = make_step(**info, context, cache);
    tasks.made(node, steps[i].tasks);
    if (!options.keep_constants) drop_constants(node);
  }
  mapped_weight_bytes = cache.mapped_bytes();
  return check_forced(chooser, graph, choices);
}

Step Executable::Impl::make_step(const NodeImplInfo& info, ImplContext context, PackedCache& cache) {
  PackedFor source(cache, info.name);
  context.source = &source;
  Step step{info.make(context), 0};
  step.tasks = step.impl->tasks();
  scratch_bytes = std::max(scratch_bytes, step.impl->scratch_bytes());
  weight_bytes += static_cast<std::int64_t>(step.impl->constant_bytes());
  return step;
}

void Executable::Impl::join_chains(const CpuInfo& cpu) {
  std::vector<std::size_t> joined(graph.nodes.size(), Region::kAlone);  // the chain of each node
  for (const Chain& chain : memory.chains) {
    std::vector<ChainNode> nodes;
    for (const std::int32_t at : chain.nodes) {
      const auto i = static_cast<std::size_t>(at);
      nodes.push_back({steps[i].impl.get(), chain_rows(graph, graph.nodes[i], memory)});
    }
    if (!std::ranges::all_of(nodes, [](const ChainNode& node) { return node.impl->by_rows(); })) continue;
    for (const std::int32_t at : chain.nodes) joined[static_cast<std::size_t>(at)] = chains.size();
    chains.push_back(chain);
    chain_kernels.emplace_back(std::move(nodes), cpu.l2_bytes(), options.threads);
    scratch_bytes = std::max(scratch_bytes, chain_kernels.back().scratch_bytes());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool alone = joined[i] == Region::kAlone;
    const bool last = alone || static_cast<std::size_t>(chains[joined[i]].nodes.back()) == i;
    if (steps[i].impl && last) regions.push_back({i, joined[i]});
  }
}

Executable::Executable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Executable::~Executable() = default;

const Graph& Executable::graph() const noexcept { return impl_->graph; }
const MemoryPlan& Executable::memory() const noexcept { return impl_->memory; }
std::span<const NodeChoice> Executable::choices() const noexcept { return impl_->choices; }
std::span<const Chain> Executable::chains() const noexcept { return impl_->chains; }
int Executable::fallback_nodes() const noexcept { return impl_->fallback_nodes; }
std::int64_t Executable::weight_bytes() const noexcept { return impl_->weight_bytes; }
std::int64_t Executable::mapped_weight_bytes() const noexcept { return impl_->mapped_weight_bytes; }
const PrepareOptions& Executable::options() const noexcept { return impl_->options; }

}  // namespace tessera
