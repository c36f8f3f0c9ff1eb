#pragma once
// Value or error of BoxDecode calls. The part of std::expected (C++23) that they need, with the standard library alone
// and without exceptions: works under -fno-exceptions.

#include <tessera/boxdecode/error.h>

#include <cassert>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <variant>

namespace tessera::boxdecode {

/// A T or an Error; converts from either. Test it, then take `*result` or `result.error()`: the other one is a bug of
/// the caller (asserted). `value()` checks in every build and aborts.
template <class T>
class [[nodiscard]] Result {
  static_assert(std::is_nothrow_move_constructible_v<T> && !std::is_same_v<T, Error>);

 public:
  using value_type = T;
  using error_type = Error;

  template <class U>
  static constexpr bool kIsValue = std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, Error> &&
                                   !std::is_same_v<std::remove_cvref_t<U>, Result>;

  template <class U = T, std::enable_if_t<kIsValue<U>, int> = 0>
  Result(U&& value) noexcept(std::is_nothrow_constructible_v<T, U>)  // NOLINT(google-explicit-constructor)
      : held_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Error error) noexcept : held_(std::in_place_index<1>, error) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() & noexcept { return *unchecked(); }
  const T& operator*() const& noexcept { return *unchecked(); }
  T&& operator*() && noexcept { return std::move(*unchecked()); }
  T* operator->() noexcept { return unchecked(); }
  const T* operator->() const noexcept { return unchecked(); }

  T& value() & noexcept { return *checked(); }
  const T& value() const& noexcept { return *checked(); }
  T&& value() && noexcept { return std::move(*checked()); }

  const Error& error() const noexcept {
    assert(!has_value());
    return *std::get_if<1>(&held_);
  }

 private:
  T* unchecked() noexcept {
    assert(has_value());
    return std::get_if<0>(&held_);
  }
  const T* unchecked() const noexcept {
    assert(has_value());
    return std::get_if<0>(&held_);
  }
  T* checked() noexcept {
    if (!has_value()) std::abort();
    return std::get_if<0>(&held_);
  }
  const T* checked() const noexcept {
    if (!has_value()) std::abort();
    return std::get_if<0>(&held_);
  }

  std::variant<T, Error> held_;
};

/// Success or an Error. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using error_type = Error;

  Result() noexcept = default;
  Result(Error error) noexcept : error_(error), failed_(true) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const noexcept { return !failed_; }
  explicit operator bool() const noexcept { return has_value(); }
  void operator*() const noexcept { assert(has_value()); }
  void value() const noexcept {
    if (!has_value()) std::abort();
  }
  const Error& error() const noexcept {
    assert(!has_value());
    return error_;
  }

 private:
  Error error_{};
  bool failed_ = false;
};
using Status = Result<void>;

}  // namespace tessera::boxdecode
