#include "bench/kernels_run.h"

#include <algorithm>
#include <memory>

#include "bench/timing.h"
#include "common/interrupt.h"
#include "common/tensors.h"

namespace tessera::cli {
namespace {

struct Ready {
  std::shared_ptr<const Executable> executable;
  ExecutionContext context;
};

Result<std::vector<Ready>> make_ready(const KernelCase& kernel) {
  std::vector<Ready> out;
  for (const KernelForm& form : kernel.forms) {
    auto executable = Executable::prepare(form.graph, form.options);
    if (!executable) return executable.error();
    auto context = ExecutionContext::create(*executable, form.options.threads);
    if (!context) return context.error();
    out.push_back({*std::move(executable), *std::move(context)});
  }
  return out;
}

std::vector<std::string> kernels_of(const Executable& executable) {
  std::vector<std::string> out;
  for (const NodeChoice& choice : executable.choices()) {
    if (!choice.impl.empty()) out.push_back(choice.impl);
  }
  return out;
}

// From [0, 1) to [-8, 8): both sides of every activation, and all of Mish's bend.
void fill(Ready& ready) {
  for (std::size_t i = 0; i < ready.executable->graph().inputs.size(); ++i) {
    const TensorRef input = ready.context.input(i);
    fill_with_noise(input, 1 + i);
    for (std::int64_t pixel = 0; pixel < input.n * input.h * input.w; ++pixel) {
      float* at = input.data + pixel * input.pixel_stride;
      for (std::int64_t c = 0; c < input.c; ++c) at[c] = 16 * at[c] - 8;
    }
  }
}

}  // namespace

Result<KernelTimes> run_kernel_case(const KernelCase& kernel, int warmup, int runs) {
  auto ready = make_ready(kernel);
  if (!ready) return ready.error();
  KernelTimes out{kernel.name, kernel.shape, kernel.tolerance, {}};
  for (std::size_t i = 0; i < ready->size(); ++i) {
    out.forms.push_back({kernel.forms[i].name, kernels_of(*(*ready)[i].executable), {}, {}, true});
  }
  ThreadPool pool(kernel.forms.front().options.threads);
  for (int round = 0; round < warmup + runs; ++round) {
    if (interrupted()) return Error{Code::cancelled, "stopped before all kernels were timed"};
    for (std::size_t i = 0; i < ready->size(); ++i) {
      fill((*ready)[i]);
      const double taken = milliseconds([&] { (*ready)[i].context.run(pool); });
      if (round >= warmup) out.forms[i].times_ms.push_back(taken);
    }
  }
  const Outputs expected = read_outputs(*ready->back().executable, ready->back().context);
  for (std::size_t i = 0; i < ready->size(); ++i) {
    FormTimes& form = out.forms[i];
    form.difference = difference(expected, read_outputs(*(*ready)[i].executable, (*ready)[i].context));
    form.agrees = form.difference.relative <= kernel.tolerance;
  }
  return out;
}

bool all_agree(const std::vector<KernelTimes>& kernels) {
  return std::ranges::all_of(kernels,
                             [](const KernelTimes& k) { return std::ranges::all_of(k.forms, &FormTimes::agrees); });
}

}  // namespace tessera::cli
