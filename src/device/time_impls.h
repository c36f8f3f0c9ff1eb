#pragma once
// How long each of several implementations takes for one node. Before each run the level-2 caches are filled with
// something else, as other layers do in a network: weights, inputs and outputs come from behind them.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "device/node_impl.h"

namespace tessera {

/// Seconds since some moment. The caller's: the engine has no clock of its own.
using Clock = std::function<double()>;

class ImplTimer {
 public:
  /// limit_exceeded when the memory to fill caches with cannot be had. `pool` outlives the timer.
  static Result<ImplTimer> create(Clock clock, ThreadPool& pool, std::int64_t l2_bytes);

  /// Seconds per implementation and run, after an untimed one; implementations take turns. `pixel_strides`: of the
  /// inputs, then of the output; empty: without gaps. Every implementation takes the node.
  /// Errors  limit_exceeded: no memory for the operands.
  Result<std::vector<std::vector<double>>> time(const ImplContext& context, std::span<const NodeImplInfo* const> impls,
                                                std::span<const std::int64_t> pixel_strides, int runs) const;

 private:
  ImplTimer(Clock clock, ThreadPool& pool, std::int64_t l2_bytes, std::shared_ptr<std::byte> other);
  void fill_caches() const;

  Clock clock_;
  ThreadPool* pool_;
  std::int64_t l2_bytes_;
  std::shared_ptr<std::byte> other_;  // what the caches are filled with
};

}  // namespace tessera
