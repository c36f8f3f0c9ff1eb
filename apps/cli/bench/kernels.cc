#include "bench/kernels.h"

#include <cassert>
#include <random>

namespace tessera::cli {
namespace {

/// What one form has besides its graph and the options of all.
struct Switched {
  std::string name;
  std::vector<std::string> disabled;
  std::map<std::string, std::string> forced;
};

KernelForm form(const Graph& graph, PrepareOptions options, Switched switched) {
  options.disabled = std::move(switched.disabled);
  options.forced_kernels = std::move(switched.forced);
  return {std::move(switched.name), graph, std::move(options)};
}

Graph with_shapes(Graph graph) {
  [[maybe_unused]] const Status status = infer_shapes(graph);
  assert(status.has_value());  // the graphs below are fixed
  return graph;
}

// Small enough that a sum over 64 channels of inputs below 8 stays where Mish is curved.
Constant random_weights(std::size_t n) {
  std::mt19937 random(1);
  std::vector<float> out(n);
  for (float& w : out) w = static_cast<float>(random() >> 8) * 0x1p-25f - 0.25f;
  return std::make_shared<const std::vector<float>>(std::move(out));
}

constexpr Shape4 kMishShape{1, 208, 208, 64};

// As exporters write it: x * tanh(softplus(x)).
Graph mish_as_exported() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 208, 208, 64});
  const ValueId softplus = graph.add("softplus", UnaryAttrs{UnaryKind::softplus}, {x});
  const ValueId tanh = graph.add("tanh", ActivationAttrs{{Activation::tanh}}, {softplus});
  graph.outputs = {graph.add("mish", MulAttrs{}, {x, tanh})};
  return with_shapes(std::move(graph));
}

// The kernel's own formula, x * m / (m + 2) with m = n * (n + 2) and n = e^x, an operator for each step.
Graph mish_in_steps() {
  const std::int64_t all = kMishShape[1] * kMishShape[2] * kMishShape[3];
  const auto with = [&](BinaryKind kind, std::int64_t b_step) {
    return BinaryAttrs{kind, {}, {all}, {1}, {b_step}, kMishShape};
  };
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 208, 208, 64});
  const auto number = std::make_shared<const std::vector<float>>(std::vector<float>{2});
  const ValueId two = graph.add("two", ConstantAttrs{number, {1, 1, 1, 1}}, {});
  const ValueId n = graph.add("n", UnaryAttrs{UnaryKind::exp}, {x});
  const ValueId n_2 = graph.add("n + 2", with(BinaryKind::add, 0), {n, two});
  const ValueId m = graph.add("m", with(BinaryKind::mul, 1), {n, n_2});
  const ValueId m_2 = graph.add("m + 2", with(BinaryKind::add, 0), {m, two});
  const ValueId quotient = graph.add("quotient", with(BinaryKind::div, 1), {m, m_2});
  graph.outputs = {graph.add("mish", with(BinaryKind::mul, 1), {x, quotient})};
  return with_shapes(std::move(graph));
}

// Against the exact function our Mish is off by 1e-6 * max(1, |x|) (vec_math.h). The others: 5e-7 * max(1, |x|) of
// tanh, or 3e-7 of exp, times x and a few roundings. Over |x| <= 8 with results up to 8 all stay below 1e-6 of the
// largest and those roundings; the exact one is rounded once.
KernelCase mish(const PrepareOptions& base) {
  const Graph exported = mish_as_exported();
  PrepareOptions plain = base;
  plain.isa = Isa::none;
  return {"mish",
          "208x208x64",
          {form(exported, base, {"one vector pass", {}, {}}),
           form(mish_in_steps(), base, {"exp and five steps, a vector pass each", {}, {}}),
           form(exported, base, {"softplus (libm), tanh, product", {"recognize-mish"}, {}}),
           form(exported, plain, {"one pass of plain C++", {}, {}}),
           form(exported, base, {"one number at a time, libm in double", {}, {{"activation", "naive"}}})},
          1e-6 + 4 * 0x1p-24};
}

// The formula is the same and so are the accumulators. A kernel that adds before it rounds would show here.
KernelCase mish_residual(const PrepareOptions& base) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 104, 104, 64});
  const ConvAttrs attrs{.oc = 64, .weights = random_weights(64 * 64), .bias = random_weights(64)};
  const ValueId conv = graph.add("conv", attrs, {x});
  const ValueId mish = graph.add("mish", ActivationAttrs{{Activation::mish}}, {conv});
  graph.outputs = {graph.add("sum", AddAttrs{}, {mish, x})};
  graph = with_shapes(std::move(graph));
  return {"mish + residual",
          "104x104x64 after a 1x1 convolution",
          {form(graph, base, {"both on the accumulators", {}, {}}),
           form(graph, base, {"mish on the accumulators, sum apart", {"fuse-residual"}, {}}),
           form(graph, base, {"convolution, mish, sum: three passes", {"fuse-activation", "fuse-residual"}, {}})},
          0};
}

// What concats join below comes from operators: an input of the graph lies where the caller writes it. Leaky keeps
// signs.
ValueId computed(Graph& graph, const std::string& name, const Shape& nhwc) {
  const ValueId in = graph.add_input(name + "_in", nhwc);
  return graph.add(name, ActivationAttrs{{Activation::leaky, 0.5f}}, {in});
}

KernelCase spp(const PrepareOptions& base) {
  Graph graph;
  const ValueId x = computed(graph, "x", {1, 13, 13, 512});
  const auto pool = [&](int k) {
    const int pad = k / 2;
    const PoolAttrs attrs{.kh = k, .kw = k, .sh = 1, .sw = 1, .pad = {pad, pad, pad, pad}};
    return graph.add("max" + std::to_string(k), attrs, {x});
  };
  const ValueId narrow = pool(5), middle = pool(9), wide = pool(13);
  graph.outputs = {graph.add("spp", ConcatAttrs{}, {wide, middle, narrow, x})};
  graph = with_shapes(std::move(graph));
  return {"spp",
          "13x13x512, max pools 5, 9, 13 after a leaky ReLU",
          {form(graph, base, {"cascade of three 5-wide maxima", {}, {}}),
           form(graph, base, {"three pools of one value", {"spp-cascade"}, {}}),
           form(graph, base, {"three pools, window by window", {"spp-cascade"}, {{"pool", "naive"}}})},
          0};
}

KernelCase upsample_concat(const PrepareOptions& base) {
  Graph graph;
  const ValueId coarse = graph.add_input("coarse", {1, 13, 13, 256});
  const ValueId near = computed(graph, "near", {1, 26, 26, 256});
  const ValueId up = graph.add("up", UpsampleAttrs{}, {coarse});
  graph.outputs = {graph.add("joined", ConcatAttrs{}, {near, up})};
  graph = with_shapes(std::move(graph));
  return {"upsample + concat",
          "13x13x256 to 26x26, beside 256 channels from a leaky ReLU",
          {form(graph, base, {"written in place", {}, {}}),
           form(graph, base, {"buffers of their own, then copied", {"zero-copy"}, {}})},
          0};
}

}  // namespace

std::vector<KernelCase> kernel_cases(const PrepareOptions& base) {
  std::vector<KernelCase> out;
  for (const auto make : {mish, mish_residual, spp, upsample_concat}) out.push_back(make(base));
  return out;
}

}  // namespace tessera::cli
