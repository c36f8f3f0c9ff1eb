#pragma once
// Room for one: what is put in replaces what nobody took, which is counted. The producer never waits.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace tessera {

/// One producer, one consumer, each on any thread.
template <class T>
class NewestSlot {
 public:
  struct Taken {
    T value;
    std::int64_t dropped;  ///< values that were replaced since the one taken before
  };

  void put(T value) {
    {
      const std::scoped_lock lock(mutex_);
      if (value_) ++dropped_;
      value_ = std::move(value);
    }
    changed_.notify_one();
  }

  /// Nothing will be put any more; what is in the slot can still be taken.
  void close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    changed_.notify_one();
  }

  /// Waits for a value. nullopt when the slot is closed and empty, or when stopped(), which is asked ten times a
  /// second, says so; it may be empty.
  std::optional<Taken> take(const std::function<bool()>& stopped) {
    std::unique_lock lock(mutex_);
    while (!value_ && !closed_) {
      if (stopped) {
        lock.unlock();  // the user's function must not hold up the producer
        if (stopped()) return std::nullopt;
        lock.lock();
      }
      changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return value_ || closed_; });
    }
    if (!value_) return std::nullopt;
    Taken taken{std::move(*value_), dropped_ - told_};
    value_.reset();
    told_ = dropped_;
    return taken;
  }

  std::int64_t dropped() const {
    const std::scoped_lock lock(mutex_);
    return dropped_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<T> value_;
  std::int64_t dropped_ = 0, told_ = 0;
  bool closed_ = false;
};

}  // namespace tessera
