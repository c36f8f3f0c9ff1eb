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

// Workers spin for about 50 us (regions of one network run follow each other within microseconds), then sleep in
// atomic::wait, so an idle pool burns nothing.
constexpr int kSpins = 2000;

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
  /// data in the same core's cache. Whoever has finished his own takes from the others. A lane is all that a worker
  /// reads and writes besides the tasks: handing a cache line from core to core is most of what a region costs, and
  /// lines come in pairs.
  struct alignas(128) Lane {
    /// The next task in the upper half, the end in the lower one. A task is claimed by counting up. Tickets of
    /// different regions may be equal: whoever claims late claims a task of the region that runs, and reads `job` after
    /// that.
    std::atomic<std::uint64_t> ticket{0};
    std::atomic<std::uint64_t> done{0};  ///< tasks that this worker has finished in all, of any lane; only it writes
    TaskRef job{[](std::size_t, int) {}};
  };
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 32, kStop = (kOne - 1) << 32;

  std::unique_ptr<Lane[]> lanes;
  std::size_t count;           // of lanes: the caller's is the first
  std::uint64_t expected = 0;  // the sum of all `done` when nothing is left to do
  alignas(128) std::atomic<int> sleepers{0};
  std::atomic<std::uint32_t> wakes{0};
  std::vector<std::thread> workers;

  explicit State(std::size_t threads) : lanes(new Lane[threads]), count(threads) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {  // also when the system refuses a thread: those that run are told to end
    for (std::size_t i = 1; i < count; ++i) lanes[i].ticket.store(kStop, std::memory_order_release);
    wake_sleepers();
    for (std::thread& worker : workers) worker.join();
  }

  static bool has_work(std::uint64_t ticket) noexcept { return ticket >> 32 < (ticket & (kOne - 1)); }

  static bool claim(Lane& lane, std::size_t& task) noexcept {
    std::uint64_t seen = lane.ticket.load(std::memory_order_relaxed);
    while (has_work(seen)) {
      task = static_cast<std::size_t>(seen >> 32);
      if (lane.ticket.compare_exchange_weak(seen, seen + kOne, std::memory_order_acquire, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  void work(std::size_t worker) noexcept {
    std::uint64_t done = lanes[worker].done.load(std::memory_order_relaxed);
    for (std::size_t i = 0, at = worker; i < count; ++i, at = at + 1 == count ? 0 : at + 1) {
      const std::uint64_t before = done;
      for (std::size_t task; claim(lanes[at], task); ++done) lanes[at].job(task, static_cast<int>(worker));
      if (done > before) lanes[worker].done.store(done, std::memory_order_release);
    }
  }

  /// Returns the ticket that says what to do.
  std::uint64_t wait_for_ticket(const Lane& lane) noexcept {
    const auto called = [&lane](std::uint64_t& ticket) {
      ticket = lane.ticket.load(std::memory_order_acquire);
      return has_work(ticket) || ticket == kStop;
    };
    std::uint64_t ticket;
    for (int spin = 0; spin < kSpins; ++spin) {
      if (called(ticket)) return ticket;
      relax();
    }
    while (!called(ticket)) {
      // Either the caller sees this sleeper, or the sleeper its ticket: both change `sleepers` in between.
      sleepers.fetch_add(1, std::memory_order_acq_rel);
      const std::uint32_t seen = wakes.load(std::memory_order_acquire);
      if (!called(ticket)) wakes.wait(seen, std::memory_order_acquire);
      sleepers.fetch_sub(1, std::memory_order_relaxed);
    }
    return ticket;
  }

  void worker_loop(std::size_t worker) noexcept {
    while (wait_for_ticket(lanes[worker]) != kStop) work(worker);
  }

  void wake_sleepers() noexcept {
    if (sleepers.fetch_add(0, std::memory_order_acq_rel) == 0) return;
    wakes.fetch_add(1, std::memory_order_release);
    wakes.notify_all();
  }

  /// All earlier tasks are done. Lanes without a task are left alone, and so are their workers.
  void share(std::size_t tasks, const TaskRef& job) noexcept {
    expected += tasks;
    const auto from = [&](std::size_t lane) { return (lane * tasks + count - 1) / count; };
    for (std::size_t i = count; i-- > 0;) {
      if (from(i) == from(i + 1)) continue;
      lanes[i].job = job;
      lanes[i].ticket.store(std::uint64_t{from(i)} << 32 | from(i + 1), std::memory_order_release);
    }
    wake_sleepers();
  }

  /// All tasks are claimed: whoever has one finishes it. Yields when that takes long: the owner of a busy core may be a
  /// worker.
  void wait_until_done() const noexcept {
    const auto done = [this] {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += lanes[i].done.load(std::memory_order_acquire);
      return sum == expected;
    };
    for (int spin = 0; !done(); ++spin) spin < kSpins ? relax() : std::this_thread::yield();
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>(static_cast<std::size_t>(threads))) {
  for (std::size_t worker = 1; worker < state_->count; ++worker) {
    state_->workers.emplace_back([state = state_.get(), worker] { state->worker_loop(worker); });
  }
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const noexcept { return static_cast<int>(state_->count); }

void ThreadPool::run(std::size_t tasks, TaskRef f) noexcept {
  constexpr std::size_t kMost = UINT32_MAX;
  if (tasks <= 1 || state_->count == 1) {
    for (std::size_t task = 0; task < tasks; ++task) f(task, 0);
    return;
  }
  if (tasks > kMost) {
    run(kMost, f);
    return run(tasks - kMost, [&f](std::size_t task, int worker) { f(task + kMost, worker); });
  }
  state_->share(tasks, f);
  state_->work(0);
  state_->wait_until_done();
}

}  // namespace tessera
