#pragma once
// What the reference loops over linear indices share: where an element lies, one number at a time.

#include <algorithm>

#include "device/node_impl.h"

namespace tessera::reference {

/// Elements of a tensor by their linear index, whatever lies between its pixels.
inline float& element(const TensorRef& t, std::int64_t index) {
  return t.data[index / t.c * t.pixel_stride + index % t.c];
}

/// The linear index offset + sum of i * stride for the place'th of the places of dims, in row-major order.
inline std::int64_t at_place(std::int64_t place, const Dims& dims, const Dims& strides, std::int64_t offset) {
  for (int axis = dims.size(); axis-- > 0;) {
    offset += place % dims[axis] * strides[axis];
    place /= dims[axis];
  }
  return offset;
}

/// An operator computed one output element at a time.
class ElementImpl : public NodeImpl {
 public:
  explicit ElementImpl(const ImplContext& context) {
    const Extents out = extents(context.graph->value(context.node->output).spec);
    elements_ = out.n * out.h * out.w * out.c;
  }
  std::size_t tasks() const noexcept override {
    return static_cast<std::size_t>((elements_ + kPerTask - 1) / kPerTask);
  }
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const std::int64_t begin = static_cast<std::int64_t>(task) * kPerTask;
    for (std::int64_t i = begin; i < std::min(begin + kPerTask, elements_); ++i) {
      element(args.output, i) = static_cast<float>(value(i, args));
    }
  }

 private:
  static constexpr std::int64_t kPerTask = 4096;
  virtual double value(std::int64_t index, const NodeArgs& args) const noexcept = 0;
  std::int64_t elements_;
};

}  // namespace tessera::reference
