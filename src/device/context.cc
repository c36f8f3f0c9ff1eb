#include <cassert>
#include <new>

#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/executable_impl.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = kMemoryAlignment;

// Zeroed, so that its pages are there before the first run and the gaps between channels hold no surprises.
Result<std::shared_ptr<std::byte>> allocate(std::int64_t bytes, const char* what) {
  auto out = allocate_zeroed(static_cast<std::size_t>(bytes + kAlignment));
  if (!out) return Error{Code::limit_exceeded, text(what, ": cannot get ", bytes, " bytes of memory")};
  return out;
}

/// `aside` null: tensors behind the arena are shapes without data.
TensorRef tensor_at(const Graph& graph, const MemoryPlan& plan, std::byte* arena, std::byte* aside, ValueId id) {
  const Placement& p = plan.placements[static_cast<std::size_t>(id)];
  const Extents e = extents(graph.value(id).spec);
  if (p.constant != kNone) {  // the planner lets nobody write there
    const Constant& constant = std::get<ConstantAttrs>(graph.producer(p.constant).attrs).data;
    return {const_cast<float*>(constant->data()) + p.channel, e.n, e.h, e.w, e.c, p.pixel_stride};
  }
  const std::int64_t offset = plan.buffers[static_cast<std::size_t>(p.buffer)].offset,
                     behind = offset - plan.arena_bytes;
  TensorRef out{nullptr, e.n, e.h, e.w, e.c, p.pixel_stride};
  if (behind >= 0 && !aside) return out;
  std::byte* at = behind >= 0 ? aside + behind : arena + offset;
  if (graph.value(id).spec.dtype == DType::UInt8) {
    out.bytes = reinterpret_cast<std::uint8_t*>(at) + p.channel;
  } else {
    out.data = reinterpret_cast<float*>(at) + p.channel;
  }
  return out;
}

}  // namespace

struct ExecutionContext::Impl {
  std::shared_ptr<const Executable> executable;
  const Executable::Impl* exec;
  int threads;
  std::shared_ptr<std::byte> arena, scratch;
  std::shared_ptr<std::byte> aside;      // null until chains are run node by node
  std::size_t scratch_stride;            // bytes from one worker's scratch to the next
  std::vector<TensorRef> values;         // one per graph value
  std::vector<TensorRef> node_inputs;    // all nodes' inputs, one after another
  std::vector<std::size_t> first_input;  // per node, into node_inputs; one more at the end
  std::vector<NodeArgs> chain_args;      // of all nodes of chains, one chain after another; without scratch

  void find_tensors();
  Status add_aside();
  const TensorRef& output(std::size_t node) const {
    return values[static_cast<std::size_t>(exec->graph.nodes[node].output)];
  }
  std::byte* own_scratch(int worker) const { return scratch.get() + static_cast<std::size_t>(worker) * scratch_stride; }
  NodeArgs args(std::size_t node, std::byte* own) const {
    const std::size_t first = first_input[node];
    return {{node_inputs.data() + first, first_input[node + 1] - first}, output(node), own};
  }
  void run_step(std::size_t node, ThreadPool& pool) noexcept;
  template <class After>
  void run_regions(ThreadPool& pool, const After& after);
};

void ExecutionContext::Impl::find_tensors() {
  const Graph& graph = exec->graph;
  values.resize(graph.values.size());
  node_inputs.clear(), first_input.clear(), chain_args.clear();
  const auto find = [&](ValueId id) { return tensor_at(graph, exec->memory, arena.get(), aside.get(), id); };
  for (const Node& node : graph.nodes) {
    values[static_cast<std::size_t>(node.output)] = find(node.output);
    first_input.push_back(node_inputs.size());
    for (ValueId id : node.inputs) node_inputs.push_back(find(id));
  }
  first_input.push_back(node_inputs.size());
  for (const Chain& chain : exec->chains) {
    for (const std::int32_t node : chain.nodes) chain_args.push_back(args(static_cast<std::size_t>(node), nullptr));
  }
}

void ExecutionContext::Impl::run_step(std::size_t node, ThreadPool& pool) noexcept {
  const Step& step = exec->steps[node];
  if (!step.impl) return;
  // Closures of values: another core has all that they point to in its cache.
  pool.run(step.tasks, [this, node, impl = step.impl.get()](std::size_t index, int worker) {
    impl->run(index, args(node, own_scratch(worker)));
  });
}

Status ExecutionContext::Impl::add_aside() {
  if (aside || exec->memory.aside_bytes == 0) return {};
  auto memory = allocate(exec->memory.aside_bytes, "values between a chain's nodes");
  if (!memory) return memory.error();
  aside = *std::move(memory);
  find_tensors();
  return {};
}

template <class After>
void ExecutionContext::Impl::run_regions(ThreadPool& pool, const After& after) {
  const NodeArgs* next = chain_args.data();
  for (const Region& region : exec->regions) {
    if (region.chain == Region::kAlone) {
      run_step(region.node, pool);
    } else {
      const ChainKernel& chain = exec->chain_kernels[region.chain];
      const std::span<const NodeArgs> nodes(next, exec->chains[region.chain].nodes.size());
      pool.run(chain.tasks(),
               [this, &chain, nodes](std::size_t index, int worker) { chain.run(index, nodes, own_scratch(worker)); });
      next += nodes.size();
    }
    after(region.node);
  }
}

Result<ExecutionContext> ExecutionContext::create(std::shared_ptr<const Executable> executable, int threads) {
  if (threads < 1) return Error{Code::invalid_argument, text("context: ", threads, " threads, want at least 1")};
  auto impl = std::make_unique<Impl>();
  impl->exec = executable->impl_.get();
  impl->executable = std::move(executable);
  impl->threads = threads;
  auto arena = allocate(impl->exec->memory.arena_bytes, "arena");
  if (!arena) return arena.error();
  // A line between two workers' scratch keeps the prefetcher of one off the other's.
  const auto stride = static_cast<std::int64_t>(impl->exec->scratch_bytes) / kAlignment * kAlignment + 2 * kAlignment;
  const auto scratch_bytes = checked_mul(stride, threads);
  auto scratch = scratch_bytes
                     ? allocate(*scratch_bytes, "scratch")
                     : Result<std::shared_ptr<std::byte>>(Error{Code::limit_exceeded, text("scratch: too large")});
  if (!scratch) return scratch.error();
  impl->arena = *std::move(arena);
  impl->scratch = *std::move(scratch);
  impl->scratch_stride = static_cast<std::size_t>(stride);
  impl->find_tensors();
  if (impl->exec->chains.size() < impl->exec->memory.chains.size()) TESSERA_TRY(impl->add_aside());
  return ExecutionContext(std::move(impl));
}

ExecutionContext::ExecutionContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ExecutionContext::ExecutionContext(ExecutionContext&&) noexcept = default;
ExecutionContext& ExecutionContext::operator=(ExecutionContext&&) noexcept = default;
ExecutionContext::~ExecutionContext() = default;

TensorRef ExecutionContext::input(std::size_t index) noexcept {
  return impl_->values[static_cast<std::size_t>(impl_->exec->graph.inputs[index])];
}

TensorRef ExecutionContext::output(std::size_t index) const noexcept {
  return impl_->values[static_cast<std::size_t>(impl_->exec->graph.outputs[index])];
}

void ExecutionContext::run(ThreadPool& pool) noexcept {
  assert(pool.threads() <= impl_->threads);
  impl_->run_regions(pool, [](std::size_t) {});
}

void ExecutionContext::run_observed(ThreadPool& pool, const Observe& observe) {
  assert(pool.threads() <= impl_->threads);
  if (!impl_->add_aside()) throw std::bad_alloc();
  for (std::size_t node = 0; node < impl_->exec->steps.size(); ++node) {
    impl_->run_step(node, pool);
    if (!std::holds_alternative<InputAttrs>(impl_->exec->graph.nodes[node].attrs)) observe(node, impl_->output(node));
  }
}

void ExecutionContext::run_regions_observed(ThreadPool& pool, const Observe& observe) {
  assert(pool.threads() <= impl_->threads);
  impl_->run_regions(pool, [&](std::size_t node) { observe(node, impl_->output(node)); });
}

}  // namespace tessera
