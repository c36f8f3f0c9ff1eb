#include "base/thread_pool.h"

#include <atomic>
#include <cstdint>
#include <new>
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

inline void relax() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

struct ThreadPool::State {
  // The words that workers poll or increment stand on cache lines of their own.
  alignas(64) std::atomic<std::uint32_t> epoch{0};
  alignas(64) std::atomic<std::size_t> next{0};
  alignas(64) std::atomic<int> busy{0};  // workers that have not finished this epoch
  alignas(64) const TaskRef* job = nullptr;
  std::size_t tasks = 0;
  bool stop = false;  // written before an epoch bump, read after it
  std::atomic<int> sleepers{0};
  std::vector<std::thread> workers;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {  // also when the system refuses a thread: those that run are told to end
    stop = true;
    start_epoch();
    for (std::thread& worker : workers) worker.join();
  }

  void work(int worker) noexcept {
    for (std::size_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) (*job)(task, worker);
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

  void worker_loop(int worker) noexcept {
    for (std::uint32_t seen = 0;;) {
      wait_for_change(seen);
      seen = epoch.load(std::memory_order_acquire);
      if (stop) return;
      work(worker);
      busy.fetch_sub(1, std::memory_order_release);
    }
  }

  void start_epoch() noexcept {
    busy.store(static_cast<int>(workers.size()), std::memory_order_relaxed);
    epoch.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) > 0) epoch.notify_all();
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
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
  state_->tasks = tasks;
  state_->next.store(0, std::memory_order_relaxed);
  state_->start_epoch();
  state_->work(0);
  // All tasks are taken; the others finish theirs. Yield when that takes long: the owner of a busy core may be a
  // worker.
  for (int spin = 0; state_->busy.load(std::memory_order_acquire) != 0; ++spin) {
    spin < kSpins ? relax() : std::this_thread::yield();
  }
}

}  // namespace tessera
