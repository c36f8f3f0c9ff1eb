#pragma once
// A bounded queue between one thread that makes things and one that uses them.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tessera {

template <class T>
class Handover {
 public:
  explicit Handover(std::size_t capacity) : capacity_(capacity) {}

  /// Waits for room. False when the user has gone: stop making.
  bool give(T item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return items_.size() < capacity_ || gone_; });
    if (gone_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }
  /// No more will be given.
  void end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  /// The user takes no more.
  void leave() {
    const std::scoped_lock lock(mutex_);
    gone_ = true;
    changed_.notify_all();
  }
  /// Waits for the next; nullopt at the end, or as soon as `stopped` (asked ten times a second: a signal handler
  /// cannot wake a condition variable) says so.
  template <class Stopped>
  std::optional<T> take(const Stopped& stopped) {
    std::unique_lock lock(mutex_);
    const auto something = [&] { return !items_.empty() || ended_; };
    while (!stopped() && !changed_.wait_for(lock, std::chrono::milliseconds(100), something)) {
    }
    if (stopped() || items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool ended_ = false, gone_ = false;
};

}  // namespace tessera
