// Bytes become a small graph with arbitrary edges and attributes. Either infer_shapes refuses it, or everything after
// must work: passes, plan, proof of the plan, and a run on the reference device.

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "device/device.h"

namespace {

using namespace tessera;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  int next() { return empty() ? 0 : *at_++; }
  int small() { return next() % 16; }
  int odd_one_in_a_while() {
    return next() % 32 == 0 ? static_cast<int>(0x01000193u * static_cast<unsigned>(next())) : small() % 6;
  }
  ActivationSpec activation() { return {static_cast<Activation>(next() % 10), 0.125f}; }
  Padding padding() { return {small() % 4, small() % 4, small() % 4, small() % 4}; }
  Constant constant(std::int64_t size) {
    if (next() % 32 == 0) return nullptr;
    return std::make_shared<const std::vector<float>>(static_cast<std::size_t>(std::min<std::int64_t>(size, 4096)),
                                                      static_cast<float>(small()));
  }

 private:
  const std::uint8_t *at_, *end_;
};

Attrs conv(Bytes& in, std::int64_t ic) {
  ConvAttrs out{
      .oc = 1 + in.small(), .kh = in.odd_one_in_a_while(), .kw = 1 + in.small() % 4, .sh = 1 + in.small() % 3};
  out.sw = in.odd_one_in_a_while();
  out.dh = 1 + in.small() % 2;
  out.groups = in.next() % 4 == 0 ? static_cast<int>(ic) : 1;
  if (out.groups > 1) out.oc = out.groups;
  out.pad = in.padding();
  out.weights = in.constant(std::int64_t{out.oc} * (ic / out.groups) * std::max(out.kh, 0) % 8192 * out.kw);
  if (in.next() % 2) out.bias = in.constant(out.oc);
  out.epilogue = {in.activation(), in.next() % 4 == 0, {}};
  if (out.epilogue.residual) out.epilogue.post_act = in.activation();
  return out;
}

Attrs attrs(Bytes& in, std::int64_t c) {
  switch (in.next() % 12) {
    case 0:
      return ActivationAttrs{in.activation()};
    case 1:
      return AddAttrs{in.activation()};
    case 2:
      return MulAttrs{in.activation()};
    case 3:
      return ConcatAttrs{};
    case 4:
      return SliceAttrs{in.odd_one_in_a_while(), in.odd_one_in_a_while()};
    case 5:
      return IdentityAttrs{};
    case 6: {
      PoolAttrs pool{in.next() % 2 ? PoolAttrs::Kind::max : PoolAttrs::Kind::average, in.odd_one_in_a_while()};
      pool.kw = in.next() % 2 ? pool.kh : in.small();
      pool.sh = 1 + in.small() % 2;
      pool.sw = 1 + in.small() % 2;
      const int same = pool.kh / 2;
      pool.pad = in.next() % 2 ? in.padding() : Padding{same, same, same, same};
      return pool;
    }
    case 7:
      return UpsampleAttrs{in.odd_one_in_a_while(), 1 + in.small() % 2, in.next() % 2 ? 1.0f : 0.5f};
    case 8:
      return GlobalAveragePoolAttrs{};
    case 9:
      return SoftmaxAttrs{};
    case 10:
      return BatchNormAttrs{in.constant(c), in.constant(c), in.constant(c), in.constant(c), 1.0f};
    default:
      return conv(in, c);
  }
}

std::int64_t channels(const Graph& graph, ValueId id) {
  const Shape& shape = graph.value(id).spec.shape;
  return shape.rank() == 4 ? std::max<std::int64_t>(shape[3], 1) : 1;
}

Graph graph_from(Bytes& in) {
  Graph graph;
  graph.add_input("x", {1 + in.next() % 2, 1 + in.small(), 1 + in.small(), 1 + in.next() % 40});
  while (!in.empty() && graph.nodes.size() < 40) {
    const int count = static_cast<int>(graph.values.size());
    const std::string name = "n" + std::to_string(count);
    if (in.next() % 32 == 0) {
      graph.add_input(name, {1, in.small(), in.small(), in.small()});
      continue;
    }
    std::vector<ValueId> inputs;
    for (int i = 0; i <= in.next() % 8 / 3; ++i) inputs.push_back(in.next() % 2 ? count - 1 : in.next() % count);
    const bool gate = inputs.size() > 1;
    Attrs op = attrs(in, channels(graph, inputs[0]));
    if (!gate && (std::holds_alternative<AddAttrs>(op) || std::holds_alternative<MulAttrs>(op)))
      inputs.push_back(inputs[0]);
    graph.add(name, std::move(op), inputs);
    graph.outputs = {count};
    Graph probe = graph;  // shapes so far, so that later constants fit; a node that does not fit goes again, mostly
    if (infer_shapes(probe).has_value()) {
      graph = std::move(probe);
    } else if (in.next() % 64 != 0) {
      graph.nodes.pop_back();
      graph.values.pop_back();
    }
  }
  graph.outputs = {static_cast<ValueId>(graph.values.size()) - 1};
  for (int i = in.next() % 3; i > 0; --i) graph.outputs.push_back(in.next() % static_cast<int>(graph.values.size()));
  return graph;
}

void must(bool ok) {
  if (!ok) std::abort();
}

bool affordable(const Graph& graph) {
  std::int64_t work = 0;
  for (const Node& node : graph.nodes) {
    const Extents e = extents(graph.value(node.output).spec);
    work += macs(graph, node) + 32 * e.n * e.h * e.w * e.c;
    if (work > 20'000'000) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  Graph graph = graph_from(in);
  if (!infer_shapes(graph).has_value()) return 0;
  must(verify(graph).has_value());
  if (!affordable(graph)) return 0;
  PrepareOptions options{.device = in.next() % 2 ? "cpu" : "reference", .threads = 1};
  if (in.next() % 4 == 0) options.disabled.emplace_back("zero-copy");
  const auto exec = Executable::prepare(graph, options);
  must(exec.has_value());
  auto context = ExecutionContext::create(*exec, 1);
  must(context.has_value());
  ThreadPool pool(1);
  context->run(pool);
  return 0;
}
