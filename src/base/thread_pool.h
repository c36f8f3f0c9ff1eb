#pragma once
// A persistent pool for inner loops: starting a region costs a fraction of a microsecond, an idle pool sleeps.

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace tessera {

/// A callable `void(std::size_t task, int worker)` that outlives the call; no allocation. One of a few pointers is
/// copied, so that a worker need not fetch it from the caller's stack.
class TaskRef {
 public:
  template <class F>
  TaskRef(const F& f) {  // NOLINT(google-explicit-constructor)
    if constexpr (sizeof(F) <= sizeof(bytes_) && alignof(F) <= alignof(void*) && std::is_trivially_copyable_v<F>) {
      std::memcpy(bytes_, &f, sizeof(F));
      call_ = [](const std::byte* bytes, std::size_t task, int worker) {
        (*std::launder(reinterpret_cast<const F*>(bytes)))(task, worker);
      };
    } else {
      const F* object = &f;
      std::memcpy(bytes_, &object, sizeof(object));
      call_ = [](const std::byte* bytes, std::size_t task, int worker) {
        const F* self;
        std::memcpy(&self, bytes, sizeof(self));
        (*self)(task, worker);
      };
    }
  }
  void operator()(std::size_t task, int worker) const { call_(bytes_, task, worker); }

 private:
  alignas(void*) std::byte bytes_[32];
  void (*call_)(const std::byte*, std::size_t, int);
};

/// Threads: one caller runs regions at a time (concurrent callers are serialised by the owner, not by the pool).
/// `run` allocates nothing and takes no lock while workers are awake.
class ThreadPool {
 public:
  /// The caller counts as one; threads >= 1. Throws std::system_error when the system refuses a thread.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const noexcept;
  /// Calls f(task, worker) once for each task in [0, tasks), worker in [0, threads()); returns when all are done.
  /// Tasks must not throw. Which worker runs which task is unspecified.
  void run(std::size_t tasks, TaskRef f) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera
