#include "run_graph.h"

#include "base/text.h"
#include "base/thread_pool.h"
#include "tensor/axis_order.h"

namespace tessera::testing {
namespace {

const AxisOrder& order_of(const onnx::Lowered& lowered, ValueId id) {
  return lowered.axis_orders.at(lowered.graph.value(id).name);
}

/// Calls f(element) for each number of the tensor in linear order.
template <class F>
void for_elements(const TensorRef& t, const F& f) {
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    for (std::int64_t c = 0; c < t.c; ++c) f(t.data[p * t.pixel_stride + c]);
  }
}

void write_input(const TensorRef& to, const AxisOrder& order, const onnx::Tensor& from) {
  AxisWalk walk(order);
  for_elements(to,
               [&](float& element) { element = static_cast<float>(from.at(static_cast<std::int64_t>(walk.next()))); });
}

onnx::Tensor read_output(const TensorRef& from, const AxisOrder& order) {
  std::vector<float> numbers(static_cast<std::size_t>(from.n * from.h * from.w * from.c));
  AxisWalk walk(order);
  for_elements(from, [&](const float& element) { numbers[walk.next()] = element; });
  Dims dims;
  for (const std::int64_t extent : order.extents) dims.push_back(extent);
  return onnx::real_tensor(dims, std::move(numbers));
}

}  // namespace

std::vector<PrepareOptions> devices_to_test() {
  PrepareOptions reference, best, scalar;
  reference.device = "reference";
  scalar.isa = Isa::none;
  for (PrepareOptions* options : {&reference, &best, &scalar}) options->threads = 1;
  return {reference, best, scalar};
}

std::string name_of(const PrepareOptions& device) {
  return text(device.device, device.isa ? text(" ", to_string(*device.isa)) : "");
}

Result<std::vector<onnx::Tensor>> run_lowered(const onnx::Lowered& lowered, const std::vector<onnx::Tensor>& inputs,
                                              const PrepareOptions& device) {
  const auto executable = Executable::prepare(lowered.graph, device);
  if (!executable) return executable.error();
  auto context = ExecutionContext::create(*executable, 1);
  if (!context) return context.error();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    write_input(context->input(i), order_of(lowered, lowered.graph.inputs[i]), inputs[i]);
  }
  ThreadPool pool(1);
  context->run(pool);
  std::vector<onnx::Tensor> out;
  for (std::size_t i = 0; i < lowered.graph.outputs.size(); ++i) {
    out.push_back(read_output(context->output(i), order_of(lowered, lowered.graph.outputs[i])));
  }
  return out;
}

}  // namespace tessera::testing
