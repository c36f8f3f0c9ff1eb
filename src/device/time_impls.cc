#include "device/time_impls.h"

#include <cassert>
#include <utility>

#include "base/memory.h"
#include "base/text.h"

namespace tessera {
namespace {

constexpr std::int64_t kTimesL2 = 2;  // caches do not drop the oldest line first, so once their size would leave some

Result<std::shared_ptr<std::byte>> allocate(std::int64_t bytes) {
  auto out = allocate_zeroed(static_cast<std::size_t>(bytes));
  if (!out) return Error{Code::limit_exceeded, text("timing kernels: cannot get ", bytes, " bytes of memory")};
  return out;
}

/// The node's operands in memory of their own.
struct Operands {
  std::vector<std::shared_ptr<std::byte>> memory;
  std::vector<TensorRef> tensors;  ///< the inputs, then the output

  Status add(const TensorSpec& spec, std::int64_t pixel_stride) {
    const Extents e = extents(spec);
    const std::int64_t floats = e.n * e.h * e.w * pixel_stride;
    auto bytes = allocate(floats * 4 + 64);  // vectors may read past the last pixel's channels
    if (!bytes) return bytes.error();
    auto* data = reinterpret_cast<float*>(bytes->get());
    for (std::int64_t i = 0; i < floats; ++i) data[i] = static_cast<float>(i * 37 % 101 - 50) / 50;
    memory.push_back(*std::move(bytes));
    tensors.push_back({data, e.n, e.h, e.w, e.c, pixel_stride});
    return {};
  }
};

Result<Operands> make_operands(const ImplContext& context, std::span<const std::int64_t> pixel_strides) {
  std::vector<ValueId> values = context.node->inputs;
  values.push_back(context.node->output);
  assert(pixel_strides.empty() || pixel_strides.size() == values.size());
  Operands out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorSpec& spec = context.graph->value(values[i]).spec;
    TESSERA_TRY(out.add(spec, pixel_strides.empty() ? extents(spec).c : pixel_strides[i]));
  }
  return out;
}

/// An implementation made for the node, and each worker's scratch.
struct Ready {
  std::unique_ptr<NodeImpl> impl;
  std::shared_ptr<std::byte> scratch;
  std::size_t stride;

  void run(const Operands& operands, ThreadPool& pool) const {
    const std::span<const TensorRef> all = operands.tensors;
    const auto task = [&](std::size_t index, int worker) {
      impl->run(index,
                {all.first(all.size() - 1), all.back(), scratch.get() + static_cast<std::size_t>(worker) * stride});
    };
    pool.run(impl->tasks(), task);
  }
};

Result<Ready> make_ready(const ImplContext& context, const NodeImplInfo& info, int threads) {
  Ready out{info.make(context), nullptr, 0};
  out.stride = (out.impl->scratch_bytes() / kMemoryAlignment + 2) * kMemoryAlignment;
  auto scratch = allocate(static_cast<std::int64_t>(out.stride) * threads);
  if (!scratch) return scratch.error();
  out.scratch = *std::move(scratch);
  return out;
}

}  // namespace

Result<ImplTimer> ImplTimer::create(Clock clock, ThreadPool& pool, std::int64_t l2_bytes) {
  auto other = allocate(kTimesL2 * l2_bytes * pool.threads());
  if (!other) return other.error();
  return ImplTimer(std::move(clock), pool, l2_bytes, *std::move(other));
}

ImplTimer::ImplTimer(Clock clock, ThreadPool& pool, std::int64_t l2_bytes, std::shared_ptr<std::byte> other)
    : clock_(std::move(clock)), pool_(&pool), l2_bytes_(l2_bytes), other_(std::move(other)) {}

// A task per worker: nothing makes each take one, but all are awake and a task is long. Written, so that the compiler
// cannot leave it out.
void ImplTimer::fill_caches() const {
  const std::int64_t each = kTimesL2 * l2_bytes_;
  pool_->run(static_cast<std::size_t>(pool_->threads()), [&](std::size_t task, int) {
    volatile std::byte* at = other_.get() + static_cast<std::int64_t>(task) * each;
    for (std::int64_t i = 0; i < each; i += 64) at[i] = std::byte{1};
  });
}

Result<std::vector<std::vector<double>>> ImplTimer::time(const ImplContext& context,
                                                         std::span<const NodeImplInfo* const> impls,
                                                         std::span<const std::int64_t> pixel_strides, int runs) const {
  const auto operands = make_operands(context, pixel_strides);
  if (!operands) return operands.error();
  std::vector<Ready> ready;
  for (const NodeImplInfo* info : impls) {
    auto one = make_ready(context, *info, pool_->threads());
    if (!one) return one.error();
    ready.push_back(*std::move(one));
    ready.back().run(*operands, *pool_);
  }
  std::vector<std::vector<double>> times(impls.size());
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < ready.size(); ++i) {
      fill_caches();
      const double start = clock_();
      ready[i].run(*operands, *pool_);
      times[i].push_back(clock_() - start);
    }
  }
  return times;
}

}  // namespace tessera
