#pragma once
// Value or error, used by every Tessera call that can fail. No exception crosses the API.

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace tessera {

/// What kind of failure an Error is; `message` says which, where and what to do.
enum class Code {
  invalid_argument,  ///< the caller asked for something contradictory or out of range
  unsupported,       ///< well formed, but nothing here can do it
  not_found,         ///< a file, name or device is not there
  io,                ///< reading or writing failed
  corrupt,           ///< bytes that do not follow their format
  limit_exceeded,    ///< a size above a stated limit, or an overflow
  cancelled,         ///< the caller asked to stop
};

/// The field's name of a code, for logs and JSON ("invalid_argument").
const char* to_string(Code code) noexcept;

struct Error {
  Code code;
  std::string message;  ///< one line: the thing, the fact, the wish
};

/// A T or an Error. Converts from either; test with has_value().
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  Result(Error error) : Base(tl::make_unexpected(std::move(error))) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  requires(std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, Error> &&
           !std::is_base_of_v<Base, std::remove_cvref_t<U>>) Result(U&& value)
      : Base(T(std::forward<U>(value))) {}  // NOLINT(google-explicit-constructor)
};

/// Success or an Error. `return {};` is success.
template <>
class [[nodiscard]] Result<void> : public tl::expected<void, Error> {
  using Base = tl::expected<void, Error>;

 public:
  Result() = default;
  Result(Error error) : Base(tl::make_unexpected(std::move(error))) {}  // NOLINT(google-explicit-constructor)
};
using Status = Result<void>;

}  // namespace tessera

/// Leaves the calling function with the error of `expr`, if it has one.
#define TESSERA_TRY(expr)                                                    \
  do {                                                                       \
    if (auto tessera_try_status = (expr); !tessera_try_status.has_value()) { \
      return std::move(tessera_try_status).error();                          \
    }                                                                        \
  } while (false)
