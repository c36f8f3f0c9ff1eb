#include "model/onnx/ir.h"

namespace tessera::onnx {
namespace {

template <class T>
const T* attribute(const IrNode& node, std::string_view key) {
  const auto found = node.attributes.find(key);
  return found == node.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

template <class T, class Fallback>
T value_or(const IrNode& node, std::string_view key, Fallback fallback) {
  const T* found = attribute<T>(node, key);
  return found != nullptr ? *found : T(fallback);
}

}  // namespace

std::int64_t Tensor::size() const noexcept {
  return static_cast<std::int64_t>(is_real() ? (reals ? reals->size() : 0) : (integers ? integers->size() : 0));
}

Tensor real_tensor(const Dims& dims, std::vector<float> values) {
  return {Kind::real, dims, std::make_shared<const std::vector<float>>(std::move(values)), nullptr};
}
Tensor integer_tensor(const Dims& dims, std::vector<std::int64_t> values, Kind kind) {
  return {kind, dims, nullptr, std::make_shared<const std::vector<std::int64_t>>(std::move(values))};
}

std::int64_t IrNode::int_or(std::string_view key, std::int64_t fallback) const {
  return value_or<std::int64_t>(*this, key, fallback);
}
float IrNode::float_or(std::string_view key, float fallback) const { return value_or<float>(*this, key, fallback); }
std::string IrNode::string_or(std::string_view key, std::string_view fallback) const {
  return value_or<std::string>(*this, key, fallback);
}
const std::vector<std::int64_t>* IrNode::ints(std::string_view key) const {
  return attribute<std::vector<std::int64_t>>(*this, key);
}
const std::vector<float>* IrNode::floats(std::string_view key) const {
  return attribute<std::vector<float>>(*this, key);
}
const Tensor* IrNode::tensor(std::string_view key) const { return attribute<Tensor>(*this, key); }

}  // namespace tessera::onnx
