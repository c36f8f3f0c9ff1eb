#pragma once
// Numbers that a graph's nodes hold.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tessera {

/// A view of f32 numbers that compares by value.
class Numbers : public std::span<const float> {
 public:
  using std::span<const float>::span;
  friend bool operator==(const Numbers& a, const Numbers& b) noexcept { return std::ranges::equal(a, b); }
};

/// Read-only f32 constants, used like a pointer to Numbers and shared between a graph and its rewritten copies. They
/// lie in a vector or wherever else their owner keeps them, such as a mapped model file.
class Constant {
 public:
  Constant() = default;
  Constant(std::nullptr_t) {}                                 // NOLINT(google-explicit-constructor)
  Constant(std::shared_ptr<const std::vector<float>> values)  // NOLINT(google-explicit-constructor)
      : numbers_(values ? Numbers(*values) : Numbers()), count_(numbers_.size()), owner_(std::move(values)) {}
  /// `owner` keeps `numbers` where they are.
  Constant(std::shared_ptr<const void> owner, Numbers numbers)
      : numbers_(numbers), count_(numbers.size()), owner_(std::move(owner)) {}

  explicit operator bool() const noexcept { return owner_ != nullptr; }
  /// The same numbers, not merely equal ones.
  friend bool operator==(const Constant& a, const Constant& b) noexcept {
    return a.owner_ == b.owner_ && a->data() == b->data() && a->size() == b->size();
  }
  friend bool operator==(const Constant& c, std::nullptr_t) noexcept { return !c; }
  const Numbers& operator*() const noexcept { return numbers_; }
  const Numbers* operator->() const noexcept { return &numbers_; }

  /// How many numbers there are, or were before drop().
  std::size_t count() const noexcept { return count_; }
  /// Lets go of the numbers: for graphs that are only described from here on.
  void drop() noexcept {
    numbers_ = {};
    owner_.reset();
  }

 private:
  Numbers numbers_;
  std::size_t count_ = 0;
  std::shared_ptr<const void> owner_;
};

}  // namespace tessera
