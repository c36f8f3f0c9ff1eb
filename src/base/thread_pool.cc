#include "base/thread_pool.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {
namespace {

// A region starts by bumping `epoch`. Workers spin on it for about 50 us (regions of one network run follow each other
// within microseconds), then sleep in atomic::wait, so an idle pool burns nothing.
constexpr int kSpins = 2000;
constexpr std::uint64_t kClosed = std::uint64_t{1} << 31, kInside = kClosed - 1;

inline void relax() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

struct ThreadPool::State {
  /// The tasks of one worker: a contiguous range, so that neighbouring tasks of one region after the other find their
  /// data in the same core's cache. Whoever has finished his own takes from the others.
  struct alignas(64) Range {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };

  // What workers poll and what they need first stand on one cache line.
  alignas(64) std::atomic<std::uint32_t> epoch{0};
  /// Epoch of the region in the upper half; below whether it is closed and how many workers are inside. Only they are
  /// waited for: a worker that the system has not woken yet finds the region closed and costs nothing.
  std::atomic<std::uint64_t> gate{kClosed};
  const TaskRef* job = nullptr;
  std::unique_ptr<Range[]> ranges;
  std::size_t count;              // of ranges: workers and the caller
  std::atomic<bool> stop{false};  // written before an epoch bump, read after it, by a late worker also before
  alignas(64) std::atomic<int> sleepers{0};
  std::vector<std::thread> workers;

  explicit State(std::size_t threads) : ranges(new Range[threads]), count(threads) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {  // also when the system refuses a thread: those that run are told to end
    stop.store(true, std::memory_order_relaxed);
    start_epoch();
    for (std::thread& worker : workers) worker.join();
  }

  void share(std::size_t tasks) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      ranges[i].next.store(i * tasks / count, std::memory_order_relaxed);
      ranges[i].end = (i + 1) * tasks / count;
    }
  }

  void work(int worker) noexcept {
    for (std::size_t i = 0, at = static_cast<std::size_t>(worker); i < count; ++i, at = at + 1 == count ? 0 : at + 1) {
      Range& range = ranges[at];
      if (range.next.load(std::memory_order_relaxed) >= range.end) continue;
      for (std::size_t task; (task = range.next.fetch_add(1, std::memory_order_relaxed)) < range.end;)
        (*job)(task, worker);
    }
  }

  void wait_for_change(std::uint32_t seen) noexcept {
    for (int spin = 0; spin < kSpins; ++spin) {
      if (epoch.load(std::memory_order_acquire) != seen) return;
      relax();
    }
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    epoch.wait(seen, std::memory_order_seq_cst);
    sleepers.fetch_sub(1, std::memory_order_relaxed);
  }

  bool enter(std::uint32_t wanted) noexcept {
    std::uint64_t seen = gate.load(std::memory_order_relaxed);
    while (seen >> 32 == wanted && (seen & kClosed) == 0) {
      if (gate.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  void worker_loop(int worker) noexcept {
    for (std::uint32_t seen = 0;;) {
      wait_for_change(seen);
      seen = epoch.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_relaxed)) return;
      if (!enter(seen)) continue;
      work(worker);
      gate.fetch_sub(1, std::memory_order_release);
    }
  }

  /// Nobody is inside.
  void start_epoch() noexcept {
    const std::uint32_t next = epoch.load(std::memory_order_relaxed) + 1;
    gate.store(std::uint64_t{next} << 32, std::memory_order_release);
    epoch.store(next, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) > 0) epoch.notify_all();
  }

  /// All tasks are taken: whoever has one finishes it. Yields when that takes long: the owner of a busy core may be a
  /// worker.
  void finish_epoch() noexcept {
    gate.fetch_or(kClosed, std::memory_order_relaxed);
    for (int spin = 0; (gate.load(std::memory_order_acquire) & kInside) != 0; ++spin) {
      spin < kSpins ? relax() : std::this_thread::yield();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>(static_cast<std::size_t>(threads))) {
  for (int worker = 1; worker < threads; ++worker) {
    state_->workers.emplace_back([state = state_.get(), worker] { state->worker_loop(worker); });
  }
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const noexcept { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::size_t tasks, TaskRef f) noexcept {
  if (tasks <= 1 || state_->workers.empty()) {
    for (std::size_t task = 0; task < tasks; ++task) f(task, 0);
    return;
  }
  state_->job = &f;
  state_->share(tasks);
  state_->start_epoch();
  state_->work(0);
  state_->finish_epoch();
}

}  // namespace tessera
