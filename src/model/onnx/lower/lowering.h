#pragma once
// What the operators' lowering functions work with: the values met so far, and helpers that make engine nodes.

#include <tessera/result.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "model/model.h"
#include "model/onnx/ir.h"
#include "model/onnx/lower/view.h"

namespace tessera::onnx {

/// A value of the ONNX graph: numbers known while lowering, or a window onto a value of the network.
using Operand = std::variant<Tensor, View>;

class Lowering {
 public:
  Lowering(const IrGraph& from, Graph& to);

  const IrGraph& from() const noexcept { return from_; }
  std::int64_t opset() const noexcept { return from_.opset; }

  // What a node reads.
  const Operand* operand(int value) const;
  /// The input's numbers, or nullptr when it is absent or not known while lowering.
  const Tensor* constant(const IrNode& node, std::size_t input) const;
  /// The same as integers; errors when the input is there but not known, for operators whose shape depends on it.
  Result<std::optional<std::vector<std::int64_t>>> integers(const IrNode& node, std::size_t input) const;
  /// The input as a view; known numbers become a constant of the network. Errors: absent, or integers beyond 2^24,
  /// which f32 does not hold.
  Result<View> view(const IrNode& node, std::size_t input);

  // Numbers in one order.
  Extents extents_of_value(ValueId value) const;
  std::int64_t elements(ValueId base) const;
  /// A view of the same numbers that is stored in `order` (a new value unless it is already).
  Result<View> stored(const IrNode& node, const View& view, const Order& order);
  /// Stored in some order: for operators that do not care which. Slices of channels stay slices.
  Result<View> compact(const IrNode& node, const View& view);
  /// An [N, C, H, W] view as a value of extents NHWC.
  Result<ValueId> image(const IrNode& node, const View& view);
  /// The view's numbers in `order` as a value of exactly these extents.
  Result<ValueId> value_in(const IrNode& node, const View& view, const Order& order, const Shape4& shape);

  // What a node makes.
  /// An engine node under the name of the node's output (or of a part of it, when `part` is given), shapes inferred.
  Result<ValueId> add(const IrNode& node, Attrs attrs, std::vector<ValueId> inputs, std::string_view part = {});
  void define(const IrNode& node, Operand operand, std::size_t output = 0);
  /// define(whole(...)) of a value whose linear order walks dims in `order`.
  void define_whole(const IrNode& node, ValueId base, Kind kind, const Dims& dims, const Order& order);

  /// Counts numbers that are read, multiplied or made while lowering. A file of a few bytes can ask for hours and
  /// terabytes, one tensor a node; a network asks for some times what it holds. Errors: limit_exceeded.
  Status spend(const IrNode& node, double numbers);

  void set(int value, Operand operand) { operands_[static_cast<std::size_t>(value)] = std::move(operand); }
  std::string unique(std::string name);

 private:
  Result<ValueId> constant_value(const IrNode& node, std::size_t input, const Tensor& tensor);

  const IrGraph& from_;
  Graph& to_;
  std::vector<std::optional<Operand>> operands_;
  std::map<int, ValueId> constants_;               ///< values of known numbers that the network reads
  std::map<std::string, int, std::less<>> names_;  ///< handed out, with the last copy's number
  double left_ = 0;                                ///< to spend
};

/// dims in the order of the [N, C, H, W] axes of an image of these extents.
Dims image_dims(const Extents& extents);
Extents extents_of(const Shape4& shape);

}  // namespace tessera::onnx
