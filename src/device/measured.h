#pragma once
// The fastest implementation of a convolution, by time on this machine instead of by a model.

#include <map>
#include <memory>
#include <string>

#include "device/choose.h"
#include "device/time_impls.h"

namespace tessera {

class MeasuredChoice {
 public:
  /// Starts `threads` threads, which end with it.
  static Result<MeasuredChoice> create(Clock clock, int threads, std::int64_t l2_bytes);

  /// As Chooser::choose, but of what can take the node for the best instruction set the least median of a few runs.
  /// Nodes that look alike are timed once. `pixel_strides`: of the inputs, then of the output.
  Result<const NodeImplInfo*> choose(const Chooser& chooser, const ImplContext& context,
                                     std::span<const std::int64_t> pixel_strides, NodeChoice& choice);

 private:
  MeasuredChoice(std::unique_ptr<ThreadPool> pool, ImplTimer timer)
      : pool_(std::move(pool)), timer_(std::move(timer)) {}
  using Times = std::map<const NodeImplInfo*, double>;  // median seconds
  Result<Times> time(const ImplContext& context, const std::vector<const NodeImplInfo*>& impls,
                     std::span<const std::int64_t> pixel_strides) const;

  std::unique_ptr<ThreadPool> pool_;  // where the timer's reference points
  ImplTimer timer_;
  std::map<std::string, Times> known_;
};

}  // namespace tessera
