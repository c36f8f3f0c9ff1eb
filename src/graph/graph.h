#pragma once
// The graph: values (tensors, logically NHWC) and nodes (operators with attributes), as plain data. Formats build it,
// passes rewrite it, the planner lays it out, devices run it. Nothing here computes.

#include <tessera/result.h>
#include <tessera/tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "graph/attrs.h"
#include "graph/tensor_attrs.h"

namespace tessera {

using ValueId = std::int32_t;
using NodeId = std::int32_t;
inline constexpr std::int32_t kNone = -1;

const char* to_string(Activation activation) noexcept;  // the enumerators' names

using Attrs =
    std::variant<InputAttrs, ConvAttrs, BatchNormAttrs, ActivationAttrs, AddAttrs, MulAttrs, ConcatAttrs, SliceAttrs,
                 PoolAttrs, GlobalAveragePoolAttrs, UpsampleAttrs, SoftmaxAttrs, IdentityAttrs, ConstantAttrs,
                 ReshapeAttrs, RearrangeAttrs, BinaryAttrs, UnaryAttrs, SelectAttrs, MatMulAttrs, ReduceAttrs,
                 TopKAttrs, GatherAttrs, ResizeAttrs, PadAttrs, ConcatDimsAttrs, FromBytesAttrs>;

struct Value {
  std::string name;
  TensorSpec spec;          ///< NHWC; filled by infer_shapes
  NodeId producer = kNone;  ///< the node that writes it
};

/// One operator. The alternative held by `attrs` is the operator. Every operator has exactly one output.
struct Node {
  std::string name;  ///< unique, from the model file where it has one ("conv_12")
  Attrs attrs;
  std::vector<ValueId> inputs;
  ValueId output = kNone;
};

/// Nodes stand in execution order: a node's inputs are outputs of earlier nodes (the verifier checks).
struct Graph {
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;   ///< outputs of the Input nodes
  std::vector<ValueId> outputs;  ///< raw heads, in head order

  /// Appends an Input node with the given shape (NHWC), of f32 or u8.
  ValueId add_input(std::string name, const Shape& nhwc, DType dtype = DType::Float32);
  /// Appends a node; its output value takes the node's name. Shapes are left to infer_shapes.
  ValueId add(std::string name, Attrs attrs, std::vector<ValueId> inputs);

  const Value& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  Value& value(ValueId id) { return values[static_cast<std::size_t>(id)]; }
  const Node& producer(ValueId id) const { return nodes[static_cast<std::size_t>(value(id).producer)]; }
};

/// The operator's name in the field's words ("conv", "concat").
const char* op_name(const Attrs& attrs) noexcept;

/// NHWC extents of a rank-4 value.
struct Extents {
  std::int64_t n, h, w, c;
};
inline Extents extents(const TensorSpec& spec) { return {spec.shape[0], spec.shape[1], spec.shape[2], spec.shape[3]}; }

/// Fills every value's spec from the inputs' specs and the attributes. The error names node, fact and wish.
Status infer_shapes(Graph& graph);
/// Structure, attributes and constants all fit together; run after loading and after each pass.
Status verify(const Graph& graph);
/// Multiply-accumulates and parameters of one node (0 for operators without).
std::int64_t macs(const Graph& graph, const Node& node);
std::int64_t parameters(const Node& node);

}  // namespace tessera
