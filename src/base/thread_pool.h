#pragma once
// A persistent pool for inner loops: starting a region costs about a microsecond, an idle pool sleeps.

#include <cstddef>
#include <functional>
#include <memory>

namespace tessera {

/// Reference to a callable `void(std::size_t task, int worker)` that outlives the call; no allocation.
class TaskRef {
 public:
  template <class F>
  TaskRef(const F& f)  // NOLINT(google-explicit-constructor)
      : object_(&f), call_([](const void* object, std::size_t task, int worker) {
          (*static_cast<const F*>(object))(task, worker);
        }) {}
  void operator()(std::size_t task, int worker) const { call_(object_, task, worker); }

 private:
  const void* object_;
  void (*call_)(const void*, std::size_t, int);
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
