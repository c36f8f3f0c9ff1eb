#include "device/winograd_error.h"

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "base/text.h"
#include "device/choose.h"
#include "device/cpu/cpu.h"
#include "device/reference/reference.h"
#include "kernels/winograd/bound.h"

namespace tessera {
namespace {

/// The outputs of one implementation, without gaps.
Result<std::vector<float>> outputs_of(const NodeImpl& impl, const TensorRef& input, const TensorRef& like,
                                      ThreadPool& pool) {
  std::vector<float> out(static_cast<std::size_t>(like.n * like.h * like.w * like.c));
  const TensorRef output{out.data(), like.n, like.h, like.w, like.c, like.c};
  const std::size_t stride = (impl.scratch_bytes() / kMemoryAlignment + 2) * kMemoryAlignment;
  const auto scratch = allocate_zeroed(stride * static_cast<std::size_t>(pool.threads()));
  if (!scratch) return Error{Code::limit_exceeded, text("scratch: cannot get ", stride, " bytes of memory per thread")};
  pool.run(impl.tasks(), [&](std::size_t task, int worker) {
    impl.run(task, {{&input, 1}, output, scratch.get() + static_cast<std::size_t>(worker) * stride});
  });
  return out;
}

// NaN stays: std::max would drop it.
double distance(std::span<const float> a, std::span<const float> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::fabs(double{a[i]} - double{b[i]});
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

std::vector<float> without_gaps(const TensorRef& t) {
  std::vector<float> out;
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    out.insert(out.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
  }
  return out;
}

std::vector<double> channel_magnitudes(const TensorRef& t) {
  std::vector<double> out(static_cast<std::size_t>(t.c));
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    for (std::int64_t c = 0; c < t.c; ++c) {
      double& most = out[static_cast<std::size_t>(c)];
      most = std::max(most, std::fabs(double{t.data[p * t.pixel_stride + c]}));
    }
  }
  return out;
}

double bound_of(const Node& node, const WinogradScheme& scheme, const TensorRef& input) {
  const auto& conv = std::get<ConvAttrs>(node.attrs);
  return winograd_bound(scheme, conv.oc, conv.weights->data(), conv.bias ? conv.bias->data() : nullptr,
                        channel_magnitudes(input));
}

Result<WinogradError> judge(const ImplContext& context, const NodeChoice& choice, const Chooser& plain,
                            const TensorRef& input, const TensorRef& output, ThreadPool& pool) {
  NodeChoice other;
  const auto info = plain.choose(context, other);
  if (!info) return info.error();
  const auto exact = outputs_of(*make_conv_reference(context), input, output, pool);
  if (!exact) return exact.error();
  const auto sums = outputs_of(*(*info)->make(context), input, output, pool);
  if (!sums) return sums.error();
  WinogradError out{choice.node, choice.impl};
  for (const float v : *exact) out.largest = std::max(out.largest, std::fabs(double{v}));
  out.worst = distance(without_gaps(output), *exact);
  out.bound = bound_of(*context.node, *winograd_scheme(choice.impl), input);
  out.plain = other.impl;
  out.plain_worst = distance(*sums, *exact);
  return out;
}

}  // namespace

Result<std::vector<WinogradError>> winograd_errors(const Graph& graph, PrepareOptions options, InputData inputs,
                                                   ThreadPool& pool) {
  for (const char* pass : {"fuse-activation", "fuse-residual"}) options.disabled.emplace_back(pass);
  options.keep_constants = true;
  const auto exec = Executable::prepare(graph, options);
  if (!exec) return exec.error();
  const Graph& run = (*exec)->graph();
  auto context = ExecutionContext::create(*exec, pool.threads());
  if (!context) return context.error();
  TESSERA_TRY(write_inputs(run, inputs, *context));
  const auto device = find_device(options.device);
  if (!device) return device.error();
  const CpuInfo cpu = options.isa ? CpuInfo::detect().limited_to(*options.isa) : CpuInfo::detect();
  const Chooser plain{*device, {}, {}, true};

  std::vector<TensorRef> values(run.values.size());
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    values[static_cast<std::size_t>(run.inputs[i])] = context->input(i);
  }
  std::vector<WinogradError> out;
  std::optional<Error> failure;
  context->run_observed(pool, [&](std::size_t index, const TensorRef& output) {
    const Node& node = run.nodes[index];
    const NodeChoice& choice = (*exec)->choices()[index];
    values[static_cast<std::size_t>(node.output)] = output;
    if (failure || !winograd_scheme(choice.impl)) return;
    const TensorRef& input = values[static_cast<std::size_t>(node.inputs.front())];
    auto error = judge({&run, &node, cpu, pool.threads()}, choice, plain, input, output, pool);
    if (!error) failure = error.error();
    if (error) out.push_back(*std::move(error));
  });
  if (failure) return *failure;
  return out;
}

}  // namespace tessera
