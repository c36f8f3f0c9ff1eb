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

FromBytesAttrs from_bytes(Bytes& in, std::int64_t c) {
  const auto channels = static_cast<std::size_t>(in.next() % 32 == 0 ? in.small() : std::min<std::int64_t>(c, 4096));
  return {std::vector<float>(channels, static_cast<float>(in.small())), std::vector<float>(channels, -1.0f)};
}

Dims dims(Bytes& in, int axes) {
  Dims out;
  for (int i = 0; i < axes; ++i) out.push_back(in.odd_one_in_a_while());
  return out;
}
Dims strides(Bytes& in, int axes) {
  Dims out;
  for (int i = 0; i < axes; ++i) out.push_back(in.odd_one_in_a_while() - 2);
  return out;
}
// The shape in one piece, or whatever the bytes say.
Dims dims_of(Bytes& in, const Shape4& shape) {
  return in.next() % 4 ? Dims{shape[0] * shape[1], shape[2] * shape[3]} : dims(in, in.small() % 6);
}

// Mostly fitting the value: without that nothing would ever run.
Attrs tensor_attrs(Bytes& in, const Shape4& shape) {
  const std::int64_t rows = shape[0] * shape[1], row = shape[2] * shape[3];
  const Dims two{row, 1}, any = strides(in, 2);
  const Dims a = in.next() % 3 ? two : any, b = in.next() % 3 ? two : Dims{0, 1};
  switch (in.next() % 12) {
    case 0:
      return ConstantAttrs{in.constant(rows * row), shape};
    case 1:
      return ReshapeAttrs{in.next() % 2 ? Shape4{shape[0], shape[2], shape[1], shape[3]} : Shape4{1, rows, 1, row}};
    case 2:
      return RearrangeAttrs{dims_of(in, shape), in.next() % 2 ? Dims{-row, 1} : strides(in, 2),
                            in.next() % 2 ? (rows - 1) * row : in.odd_one_in_a_while(), shape};
    case 3:
      return BinaryAttrs{static_cast<BinaryKind>(in.next() % 19), in.activation(), dims_of(in, shape), a, b, shape};
    case 4:
      return UnaryAttrs{static_cast<UnaryKind>(in.next() % 21), 0.5f, 1};
    case 5:
      return SelectAttrs{dims_of(in, shape), a, b, two, shape};
    case 6:
      return MatMulAttrs{{in.odd_one_in_a_while()},     strides(in, 1), {0},
                         in.odd_one_in_a_while(),       in.small(),     in.small(),
                         {1, 1, in.small(), in.small()}};
    case 7:
      return ReduceAttrs{
          static_cast<ReduceKind>(in.next() % 8), in.next() % 2 == 0, {rows}, {row}, {row}, {1}, {1, 1, 1, rows}};
    case 8:
      return TopKAttrs{1 + in.small() % 4, in.next() % 2 == 0, in.next() % 2 == 0};
    case 9:
      return GatherAttrs{rows, shape[2], shape[3], in.next() % 2 == 0, shape};
    case 10:
      return PadAttrs{static_cast<PadMode>(in.next() % 3), dims(in, 4), dims(in, 4), 1};
    default:
      return ConcatDimsAttrs{rows, {row, row}, {shape[0], shape[1], shape[2], 2 * shape[3]}};
  }
}

Attrs attrs(Bytes& in, const Shape4& shape) {
  const std::int64_t c = shape[3];
  switch (in.next() % 16) {
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
    case 11:
      return conv(in, c);
    case 12:
      return from_bytes(in, c);
    default:
      return tensor_attrs(in, shape);
  }
}

Shape4 shape_of(const Graph& graph, ValueId id) {
  const Shape& shape = graph.value(id).spec.shape;
  if (shape.rank() != 4) return {1, 1, 1, 1};
  return {std::max<std::int64_t>(shape[0], 1), std::max<std::int64_t>(shape[1], 1), std::max<std::int64_t>(shape[2], 1),
          std::max<std::int64_t>(shape[3], 1)};
}

Graph graph_from(Bytes& in) {
  Graph graph;
  graph.add_input("x", {1 + in.next() % 2, 1 + in.small(), 1 + in.small(), 1 + in.next() % 40});
  while (!in.empty() && graph.nodes.size() < 40) {
    const int count = static_cast<int>(graph.values.size());
    const std::string name = "n" + std::to_string(count);
    if (in.next() % 32 == 0) {
      const int channels = in.small();
      const bool bytes = in.next() % 2 == 0;
      const ValueId id =
          graph.add_input(name, {1, in.small(), in.small(), channels}, bytes ? DType::UInt8 : DType::Float32);
      if (bytes) graph.add(name + "f", from_bytes(in, channels), {id});
      continue;
    }
    std::vector<ValueId> inputs;
    for (int i = 0; i <= in.next() % 8 / 3; ++i) inputs.push_back(in.next() % 2 ? count - 1 : in.next() % count);
    const bool gate = inputs.size() > 1;
    Attrs op = attrs(in, shape_of(graph, inputs[0]));
    if (!gate && (std::holds_alternative<AddAttrs>(op) || std::holds_alternative<MulAttrs>(op)))
      inputs.push_back(inputs[0]);
    if (std::holds_alternative<ConstantAttrs>(op)) inputs.clear();
    if (std::holds_alternative<SelectAttrs>(op)) inputs.resize(3, inputs[0]);
    if (std::holds_alternative<BinaryAttrs>(op) || std::holds_alternative<ConcatDimsAttrs>(op))
      inputs.resize(2, inputs[0]);
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
