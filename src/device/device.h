#pragma once
// Devices turn a graph into an Executable (everything that can fail is checked here) and contexts run it.

#include <tessera/result.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_features.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "device/node_impl.h"
#include "graph/graph.h"
#include "plan/memory_plan.h"

namespace tessera {

/// A backend: for each operator an ordered list of implementations.
struct DeviceInfo {
  const char* name;  ///< "reference", "cpu"
  const char* summary;
  std::span<const NodeImplInfo> (*impls)(const Attrs& op);  ///< empty: the device has no such operator
};
std::span<const DeviceInfo* const> devices();  ///< sorted by name; device/devices.cc
/// not_found names the known devices.
Result<const DeviceInfo*> find_device(std::string_view name);

/// An implementation by name for a node by name, and what the node was when that was chosen (empty: not checked).
struct KernelChoice {
  std::string node, of, impl;
};

struct PrepareOptions {
  std::string device = "cpu";
  std::optional<Isa> isa;             ///< highest level to use; error if the machine lacks it
  int threads = 0;                    ///< 0: allowed_cpus(); a hint for splitting, never changes bits
  bool exact = false;                 ///< only implementations that sum the operator's own products: no Winograd
  std::vector<std::string> disabled;  ///< passes, "reuse", "zero-copy", "chains", implementations or a word of them
  std::map<std::string, std::string> forced_kernels;  ///< operator name ("conv") -> "naive" or an implementation name
  std::map<std::string, std::string> replaced;        ///< activation ("mish") -> what is computed instead ("hard_mish")
  std::vector<KernelChoice> chosen;  ///< taken again; other nodes as without. Errors when one does not fit
  /// Seconds since some moment. With it convolutions get the implementation that takes the least time here, not the one
  /// that a model expects to: bits may differ between preparations.
  std::function<double()> clock;
  LogSink log;
  bool keep_constants = false;  ///< convolutions' in graph() too, for who wants to compute with them again
  /// A directory for packed weights, which later programs map instead of packing them again (docs/library.md). It may
  /// be deleted at any time. What is wrong with it is a warning.
  std::string weights_cache;
};

/// Which implementation a node got and why the better ones were skipped.
struct NodeChoice {
  std::string node, impl;
  std::vector<std::string> skipped;  ///< "conv_1x1_avx512: only 1x1"
};

/// A graph made ready for one device: passes run, memory planned and verified, weights packed. Immutable; share freely.
class Executable {
 public:
  /// Takes the graph as loaded (shapes inferred). Errors name node, fact and wish.
  static Result<std::shared_ptr<const Executable>> prepare(Graph graph, const PrepareOptions& options);
  ~Executable();

  const Graph& graph() const noexcept;  ///< after passes; convolutions' constants are counted, but gone unless kept
  const MemoryPlan& memory() const noexcept;
  std::span<const NodeChoice> choices() const noexcept;  ///< one per node
  std::span<const Chain> chains() const noexcept;        ///< nodes that run() computes together
  int fallback_nodes() const noexcept;                   ///< nodes (cpu device) that took the plain reference kernel
  std::int64_t weight_bytes() const noexcept;            ///< packed constants
  std::int64_t mapped_weight_bytes() const noexcept;     ///< of these, what was found in PrepareOptions::weights_cache
  const PrepareOptions& options() const noexcept;

 private:
  friend class ExecutionContext;
  struct Impl;
  explicit Executable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// One run at a time: arena and scratch. Different contexts of one Executable may run at once on different pools.
class ExecutionContext {
 public:
  /// Allocates everything that runs will need, for pools of up to `threads` threads.
  static Result<ExecutionContext> create(std::shared_ptr<const Executable> executable, int threads);
  ExecutionContext(ExecutionContext&&) noexcept;
  ExecutionContext& operator=(ExecutionContext&&) noexcept;
  ~ExecutionContext();

  /// Write the input here before each run (it may be overwritten): to `data`, an input of u8 to `bytes`.
  TensorRef input(std::size_t index) noexcept;
  TensorRef output(std::size_t index) const noexcept;  ///< valid until the next run
  /// Allocates nothing, takes no lock of its own. pool.threads() must not exceed `threads`.
  void run(ThreadPool& pool) noexcept;
  using Observe = std::function<void(std::size_t node, const TensorRef& output)>;
  /// The bits of run, node by node: calls observe(node index, output) after each node that is not an alias or is one
  /// whose data is complete; for `tessera compare` and per-layer timing. The first such run allocates memory for what
  /// chains hand on; throws std::bad_alloc.
  void run_observed(ThreadPool& pool, const Observe& observe);
  /// Run itself, calling observe after each node that is computed alone and each last one of a chain.
  void run_regions_observed(ThreadPool& pool, const Observe& observe);

 private:
  struct Impl;
  explicit ExecutionContext(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
