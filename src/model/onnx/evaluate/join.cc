// Concat: runs of every input in turn.

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

template <class T>
Tensor joined(const Call& call, const Dims& dims, int axis) {
  const std::int64_t outer = product(dims, 0, axis);
  std::vector<T> out;
  out.reserve(static_cast<std::size_t>(product(dims)));
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const Tensor* input : call.inputs) {
      const auto run = static_cast<std::size_t>(product(input->dims, axis, dims.count));
      const auto part = numbers<T>(*input).subspan(static_cast<std::size_t>(o) * run, run);
      out.insert(out.end(), part.begin(), part.end());
    }
  }
  return tensor_of(call.input(0).kind, dims, std::move(out));
}

}  // namespace

Result<Outputs> evaluate_concat(const Call& call) {
  const int rank = call.input(0).dims.count;
  const auto axis = axis_of(call.node, call.node.int_or("axis", 1), rank);
  if (!axis) return axis.error();
  std::vector<Dims> dims;
  for (const Tensor* input : call.inputs) {
    if (input == nullptr) return misfit(call.node, "an input is absent");
    TESSERA_TRY(same_kind(call, call.input(0), *input));
    dims.push_back(input->dims);
  }
  const auto all = concatenated(call.node, dims, *axis);
  if (!all) return all.error();
  if (const auto room = room_for(call.node, *all); !room) return room.error();
  return by_payload(call.input(0),
                    [&](auto zero) -> Result<Outputs> { return Outputs{joined<decltype(zero)>(call, *all, *axis)}; });
}

}  // namespace tessera::onnx
