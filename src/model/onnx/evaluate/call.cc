#include "model/onnx/evaluate/call.h"

#include <cmath>
#include <limits>

namespace tessera::onnx {
const char* name_of(Kind kind) noexcept {
  return kind == Kind::real ? "real" : kind == Kind::integer ? "integer" : "boolean";
}

std::int64_t saturated(double value) {
  constexpr double kEdge = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= kEdge) return std::numeric_limits<std::int64_t>::max();
  return value < -kEdge ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(value);
}

Tensor with_dims(const Tensor& tensor, const Dims& dims) {
  Tensor out = tensor;
  out.dims = dims;
  return out;
}

Result<std::optional<IntegerList>> list_of(const Call& call, std::size_t input, std::string_view key) {
  if (const Tensor* tensor = call.optional(input); tensor != nullptr) {
    if (tensor->kind != Kind::integer || tensor->dims.count > 1) {
      return misfit(call.node, "input ", input, " (", key, ") is no list of integers");
    }
    const auto list = numbers<std::int64_t>(*tensor);
    return std::optional(IntegerList(list.begin(), list.end()));
  }
  if (const IntegerList* list = call.node.ints(key)) return std::optional(*list);
  return std::optional<IntegerList>();
}

Result<IntegerList> needed_list_of(const Call& call, std::size_t input, std::string_view key) {
  auto list = list_of(call, input, key);
  if (!list) return list.error();
  if (!*list) return misfit(call.node, "no ", key);
  return std::move(**list);
}

Result<std::size_t> room_for(const IrNode& node, const Dims& dims) {
  const auto count = elements(node, dims, kMaxEvaluated);
  if (!count) return count.error();
  return static_cast<std::size_t>(*count);
}

Dims broadcast_strides(const Dims& from, const Dims& to) {
  Dims strides = to;
  std::int64_t stride = 1;
  for (int i = 1; i <= to.count; ++i) {
    const std::int64_t extent = i <= from.count ? from[from.count - i] : 1;
    strides[to.count - i] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

Status same_kind(const Call& call, const Tensor& a, const Tensor& b) {
  if (a.kind == b.kind) return {};
  return misfit(call.node, "inputs are ", name_of(a.kind), " and ", name_of(b.kind), ", must be of one kind");
}

}  // namespace tessera::onnx
