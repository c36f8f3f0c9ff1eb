#pragma once
// What every operator of this folder is given and gives, and how it reads its inputs.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/onnx/evaluate/evaluate.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {

using Outputs = std::vector<Tensor>;
using IntegerList = std::vector<std::int64_t>;

/// One operator on tensors that evaluate() has checked: extents and payload agree, the required inputs are there.
struct Call {
  const IrNode& node;
  std::span<const Tensor* const> inputs;
  std::int64_t opset;

  /// nullptr when it is absent.
  const Tensor* optional(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  const Tensor& input(std::size_t i) const { return *inputs[i]; }
};
using Evaluator = Result<Outputs>(const Call&);

/// The payload: T is float for reals, std::int64_t for integers and truth values.
template <class T>
std::span<const T> numbers(const Tensor& tensor) {
  if constexpr (std::is_same_v<T, float>) {
    return *tensor.reals;
  } else {
    return tensor.integers ? std::span<const T>(*tensor.integers) : std::span<const T>();
  }
}
inline Tensor tensor_of(Kind, const Dims& dims, std::vector<float> values) {
  return real_tensor(dims, std::move(values));
}
inline Tensor tensor_of(Kind kind, const Dims& dims, std::vector<std::int64_t> values) {
  return integer_tensor(dims, std::move(values), kind);
}

/// f(float{}) or f(std::int64_t{}), as the tensor's payload is.
template <class F>
auto by_payload(const Tensor& tensor, F&& f) {
  return tensor.is_real() ? f(float{}) : f(std::int64_t{});
}

/// The type to compute in before one rounding.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, std::int64_t>;

/// Integers wrap around as the machine's do, without being undefined.
inline std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
inline double wrapping_add(double a, double b) { return a + b; }
inline double wrapping_mul(double a, double b) { return a * b; }

/// Truncated; what does not fit becomes the nearest that does, NaN becomes 0.
std::int64_t saturated(double value);

/// The tensor with other extents of the same product.
Tensor with_dims(const Tensor& tensor, const Dims& dims);

/// Numbers that an older opset has as attribute `key` and a newer one as an input; nullopt when neither is there.
Result<std::optional<IntegerList>> list_of(const Call& call, std::size_t input, std::string_view key);
/// The same where it has to be there.
Result<IntegerList> needed_list_of(const Call& call, std::size_t input, std::string_view key);

/// extents' product within kMaxEvaluated, as a size to reserve.
Result<std::size_t> room_for(const IrNode& node, const Dims& dims);

/// Strides of row-major extents, 0 where `to` repeats them; of `to`'s rank.
Dims broadcast_strides(const Dims& from, const Dims& to);

/// As errors say it.
const char* name_of(Kind kind) noexcept;
/// Whether two inputs that an operator puts together are of one kind.
Status same_kind(const Call& call, const Tensor& a, const Tensor& b);

}  // namespace tessera::onnx
