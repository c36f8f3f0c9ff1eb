// Chains against the same kernels one after the other: the bits must agree, wherever bands and tasks are cut.

#include "device/chain_kernel.h"

#include "device/choose.h"
#include "device/device_test.h"

namespace tessera {
namespace {

/// Convolutions by lot, one after the other: every stride, padding and height that rows can be counted wrongly with.
class RandomChain {
 public:
  /// Every third one begins with a picture's bytes.
  explicit RandomChain(unsigned seed) : bytes_(seed % 3 == 1), random_(seed) {}

  Graph make() {
    Graph graph;
    std::int64_t ic = 1 + below(4);
    const Shape shape{1 + below(2), 30 + below(40), 64, ic};
    ValueId x = graph.add_input("x", shape, bytes_ ? DType::UInt8 : DType::Float32);
    if (bytes_) x = graph.add("numbers", from_bytes(static_cast<int>(ic)), {x});
    const int length = 2 + below(5);
    for (int i = 0; i < length; ++i) {
      const bool wide = i > 0 && below(2) == 0;
      ConvAttrs attrs = wide ? depthwise(static_cast<int>(ic)) : dense(static_cast<int>(ic), i == 0 && below(2) == 0);
      std::vector<ValueId> inputs{x};
      if (below(4) == 0) inputs.push_back(like_output(graph, attrs, x));
      attrs.epilogue.residual = inputs.size() > 1;
      ic = attrs.oc;
      x = graph.add("n" + std::to_string(i), attrs, inputs);
    }
    graph.outputs = {x};
    EXPECT_TRUE(infer_shapes(graph).has_value());
    return graph;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::vector<float> numbers(int count) {
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = std::uniform_real_distribution<float>(-1, 1)(random_);
    return out;
  }
  Constant floats(int count) { return testing::constant(numbers(count)); }
  FromBytesAttrs from_bytes(int c) { return {numbers(c), numbers(c)}; }
  ConvAttrs dense(int ic, bool first_layer) {
    ConvAttrs attrs{.oc = 1 + below(40)};
    if (first_layer) attrs.kh = attrs.kw = 3, attrs.sh = attrs.sw = 1 + below(2), attrs.pad = pads();
    attrs.weights = floats(attrs.oc * ic * attrs.kh * attrs.kw), attrs.bias = floats(attrs.oc);
    attrs.epilogue.act.kind = below(2) ? Activation::relu : Activation::linear;
    return attrs;
  }
  ConvAttrs depthwise(int c) {
    ConvAttrs attrs{.oc = c, .kh = 1 + below(5), .kw = 3, .sh = 1 + below(3), .dh = 1 + below(2), .groups = c};
    attrs.pad = pads();
    attrs.pad.bottom += 2;
    attrs.weights = floats(c * attrs.kh * attrs.kw), attrs.bias = floats(c);
    return attrs;
  }
  Padding pads() { return {below(3), 1, below(3), 1}; }

  // Another input of the shape that the node will have.
  ValueId like_output(Graph& graph, const ConvAttrs& attrs, ValueId x) {
    Graph trial = graph;
    const ValueId y = trial.add("trial", attrs, {x});
    trial.outputs = {y};
    EXPECT_TRUE(infer_shapes(trial).has_value());
    const auto shape = trial.value(y).spec.shape;
    return graph.add_input("r" + std::to_string(graph.nodes.size()), {shape[0], shape[1], shape[2], shape[3]});
  }

  bool bytes_;
  std::mt19937 random_;
};

/// A graph's nodes made ready, and memory for each of its values.
struct Prepared {
  Graph graph;
  MemoryPlan plan;
  std::vector<std::unique_ptr<NodeImpl>> impls;  // of nodes that are no inputs
  std::vector<std::int32_t> nodes;
  std::vector<std::vector<float>> memory;
  std::vector<std::uint8_t> bytes;  // of the input, if it is of u8
  std::vector<TensorRef> values;

  Prepared(Graph g, const CpuInfo& cpu, std::mt19937& random)
      : graph(std::move(g)), memory(graph.values.size()), values(graph.values.size()) {
    plan = *plan_memory(graph, {});
    const Chooser chooser{*find_device("cpu"), {}, {}, true};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      place(node.output, random);
      if (std::holds_alternative<InputAttrs>(node.attrs)) continue;
      NodeChoice choice;
      const ImplContext context{&graph, &node, cpu, 1};
      impls.push_back((*chooser.choose(context, choice))->make(context));
      nodes.push_back(static_cast<std::int32_t>(i));
    }
  }

  void place(ValueId id, std::mt19937& random) {
    const Extents e = extents(graph.value(id).spec);
    const auto at = static_cast<std::size_t>(id);
    const std::int64_t stride = plan.placements[at].pixel_stride;
    if (graph.value(id).spec.dtype == DType::UInt8) {
      bytes.resize(static_cast<std::size_t>(e.n * e.h * e.w * stride));
      for (std::uint8_t& v : bytes) v = static_cast<std::uint8_t>(random());
      values[at] = {nullptr, e.n, e.h, e.w, e.c, stride, bytes.data()};
      return;
    }
    memory[at].resize(static_cast<std::size_t>(e.n * e.h * e.w * stride));
    for (float& v : memory[at]) v = std::uniform_real_distribution<float>(-1, 1)(random);
    values[at] = {memory[at].data(), e.n, e.h, e.w, e.c, stride};
  }

  std::size_t scratch_bytes() const {
    std::size_t most = 0;
    for (const auto& impl : impls) most = std::max(most, impl->scratch_bytes());
    return most;
  }
};

struct Args {
  std::vector<std::vector<TensorRef>> inputs;
  std::vector<NodeArgs> nodes;

  explicit Args(const Prepared& p) : inputs(p.nodes.size()) {
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
      const Node& node = p.graph.nodes[static_cast<std::size_t>(p.nodes[i])];
      for (ValueId id : node.inputs) inputs[i].push_back(p.values[static_cast<std::size_t>(id)]);
      nodes.push_back({inputs[i], p.values[static_cast<std::size_t>(node.output)], nullptr});
    }
  }
};

std::vector<float> output_of(const Prepared& p) {
  return testing::read(p.values[static_cast<std::size_t>(p.graph.outputs[0])]);
}

std::vector<float> one_by_one(Prepared& p) {
  const Args args(p);
  std::vector<std::byte> scratch(p.scratch_bytes() + 64);
  for (std::size_t i = 0; i < p.impls.size(); ++i) {
    NodeArgs node = args.nodes[i];
    node.scratch = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
    for (std::size_t task = 0; task < p.impls[i]->tasks(); ++task) p.impls[i]->run(task, node);
  }
  return output_of(p);
}

/// In order backwards, the scratch filled with NaN before each task, nothing written behind it; values between nodes
/// are poisoned: nobody may read them.
std::vector<float> chained(Prepared& p, std::int64_t l2_bytes, int threads) {
  for (const std::int32_t node : p.nodes) {
    auto& values = p.memory[static_cast<std::size_t>(p.graph.nodes[static_cast<std::size_t>(node)].output)];
    std::ranges::fill(values, NAN);
  }
  std::vector<ChainNode> nodes;
  for (std::size_t i = 0; i < p.impls.size(); ++i) {
    const Node& node = p.graph.nodes[static_cast<std::size_t>(p.nodes[i])];
    nodes.push_back({p.impls[i].get(), chain_rows(p.graph, node, p.plan)});
  }
  const ChainKernel chain(std::move(nodes), l2_bytes, threads);
  const Args args(p);
  std::vector<float> memory(chain.scratch_bytes() / 4 + 32);
  float* scratch = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
  for (std::size_t task = chain.tasks(); task-- > 0;) {
    std::fill_n(scratch, chain.scratch_bytes() / 4 + 16, NAN);
    chain.run(task, args.nodes, reinterpret_cast<std::byte*>(scratch));
    EXPECT_TRUE(std::isnan(scratch[chain.scratch_bytes() / 4])) << "written behind the scratch";
  }
  return output_of(p);
}

TEST(ChainKernel, GivesTheBitsOfItsNodesOneByOne) {
  std::vector<CpuInfo> levels{CpuInfo::detect().limited_to(Isa::none)};
  for (const Isa isa : {Isa::avx2, Isa::avx512, Isa::neon}) {
    if (CpuInfo::detect().supports(isa)) levels.push_back(CpuInfo::detect().limited_to(isa));
  }
  int joined = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    const Graph graph = RandomChain(seed).make();
    for (const CpuInfo& cpu : levels) {
      std::mt19937 random(seed);
      Prepared p(graph, cpu, random);
      if (!std::ranges::all_of(p.impls, [](const auto& impl) { return impl->by_rows(); })) continue;
      ++joined;
      const std::vector<float> want = one_by_one(p);
      for (const std::int64_t l2_bytes : {1 << 10, 64 << 10, 4 << 20}) {
        for (const int threads : {1, 2, 7}) {
          ASSERT_EQ(chained(p, l2_bytes, threads), want)
              << "seed " << seed << ", isa " << to_string(cpu.best()) << ", l2 " << l2_bytes << ", threads " << threads;
        }
      }
    }
  }
  EXPECT_GT(joined, 100);
}

TEST(ChainKernel, SplitsForThreadsAndStaysWithinItsShareOfL2) {
  const Graph graph = RandomChain(3).make();
  std::mt19937 random(3);
  Prepared p(graph, CpuInfo::detect(), random);
  const auto chain = [&](std::int64_t l2_bytes, int threads) {
    std::vector<ChainNode> nodes;
    for (std::size_t i = 0; i < p.impls.size(); ++i) {
      nodes.push_back(
          {p.impls[i].get(), chain_rows(p.graph, p.graph.nodes[static_cast<std::size_t>(p.nodes[i])], p.plan)});
    }
    return ChainKernel(std::move(nodes), l2_bytes, threads);
  };
  const std::int64_t images = extents(graph.value(0).spec).n;
  EXPECT_EQ(chain(1 << 20, 1).tasks(), static_cast<std::size_t>(images));
  EXPECT_EQ(chain(1 << 20, 2).tasks(), static_cast<std::size_t>(2 * images));
  EXPECT_LE(chain(1 << 20, 1).scratch_bytes(), p.scratch_bytes() + 64 + (1 << 19));
  EXPECT_LT(chain(1 << 10, 1).scratch_bytes(), chain(1 << 20, 1).scratch_bytes()) << "lower bands in less L2";
}

/// A network whose first layers are large enough for chains on every processor we know.
/// With integers for weights every order of summation gives the same numbers.
Graph large_graph(bool exact = false) {
  Graph graph;
  std::mt19937 random(5);
  const auto floats = [&](int count) {
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = std::uniform_real_distribution<float>(-1, 1)(random);
    if (exact) std::ranges::transform(out, out.begin(), [](float v) { return std::round(v); });
    return testing::constant(std::move(out));
  };
  const ValueId x = graph.add_input("x", {1, 256, 256, 3});
  const ValueId a =
      graph.add("a", ConvAttrs{.oc = 16, .kh = 3, .kw = 3, .pad = {1, 1, 1, 1}, .weights = floats(432)}, {x});
  const ValueId b = graph.add(
      "b", ConvAttrs{.oc = 16, .kh = 3, .kw = 3, .groups = 16, .pad = {1, 1, 1, 1}, .weights = floats(144)}, {a});
  graph.outputs = {graph.add("c", ConvAttrs{.oc = 8, .weights = floats(128)}, {b})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(ChainKernel, ARunJoinsThemUnlessSwitchedOff) {
  const Graph graph = large_graph();
  const auto on = Executable::prepare(graph, {}), off = Executable::prepare(graph, {.disabled = {"chains"}});
  ASSERT_TRUE(on.has_value() && off.has_value());
  ASSERT_EQ((*on)->chains().size(), 1u);
  EXPECT_EQ((*on)->chains()[0].nodes.size(), 3u);
  EXPECT_TRUE((*off)->chains().empty());
  const std::vector<float> want = testing::outputs_of(graph, {.disabled = {"chains"}});
  for (const int threads : {1, 3})
    EXPECT_EQ(testing::outputs_of(graph, {.threads = threads}, threads), want) << threads;
}

// Its kernels are those of the plain loops, which go by no rows: the plan's chain stays apart, and what it hands on
// needs its place behind the arena.
TEST(ChainKernel, AChainOfOtherKernelsRunsNodeByNode) {
  const Graph graph = large_graph(true);
  const PrepareOptions naive{.forced_kernels = {{"conv", "naive"}}};
  const auto exec = Executable::prepare(graph, naive);
  ASSERT_TRUE(exec.has_value());
  EXPECT_EQ((*exec)->memory().chains.size(), 1u);
  EXPECT_TRUE((*exec)->chains().empty());
  EXPECT_EQ(testing::outputs_of(graph, naive), testing::outputs_of(graph, {}));
}

TEST(ChainKernel, ObserversSeeTheNodesOrTheWhole) {
  const auto exec = Executable::prepare(large_graph(), {});
  ASSERT_TRUE(exec.has_value());
  auto context = ExecutionContext::create(*exec, 1);
  ThreadPool pool(1);
  const std::vector<float> want = testing::run_once(**exec, *context, pool);
  std::vector<std::string> seen;
  const TensorRef input = context->input(0);
  const auto see = [&](std::size_t node, const TensorRef& output) {
    EXPECT_NE(output.data, nullptr);
    seen.push_back((*exec)->graph().nodes[node].name);
    if (seen.back() == "c") {
      EXPECT_EQ(testing::read(output), want);
    }
  };
  context->run_observed(pool, see);
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(context->input(0).data, input.data) << "who writes inputs keeps the place";
  seen.clear();
  context->run_regions_observed(pool, see);
  EXPECT_EQ(seen, (std::vector<std::string>{"c"}));
}

}  // namespace
}  // namespace tessera
