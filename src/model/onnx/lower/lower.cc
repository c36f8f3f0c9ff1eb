#include "model/onnx/lower/lower.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "graph/ops/ops.h"
#include "model/onnx/evaluate/evaluate.h"
#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

/// The nodes that the outputs need, in order.
std::vector<const IrNode*> needed_nodes(const IrGraph& graph, std::span<const int> outputs) {
  std::vector<bool> needed(graph.values.size(), false);
  for (const int id : outputs) needed[static_cast<std::size_t>(id)] = true;
  std::vector<const IrNode*> out;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool wanted = std::ranges::any_of(
        node->outputs, [&](int id) { return id != kAbsent && needed[static_cast<std::size_t>(id)]; });
    if (!wanted) continue;
    out.push_back(&*node);
    for (const int id : node->inputs) {
      if (id != kAbsent) needed[static_cast<std::size_t>(id)] = true;
    }
  }
  std::ranges::reverse(out);
  return out;
}

Status check_operators(std::string_view name, std::span<const IrNode* const> nodes) {
  struct Missing {
    int count = 0;
    std::string first;
  };
  std::map<std::string, Missing> missing;
  for (const IrNode* node : nodes) {
    if (find_operator(node->op) != nullptr || can_evaluate(node->op)) continue;
    Missing& entry = missing[node->op];
    if (entry.count++ == 0) entry.first = node->name;
  }
  if (missing.empty()) return {};
  std::string list;
  for (const auto& [op, entry] : missing) {
    append_text(list, text(list.empty() ? "" : ", ", tessera::quoted(op), " (", entry.count, ", first ",
                           tessera::quoted(entry.first), ")"));
  }
  return Error{Code::unsupported, text("model ", tessera::quoted(name), ": operators that are not known here: ", list)};
}

/// Every input is known, so the outputs can be.
bool all_known(const Lowering& l, const IrNode& node) {
  return std::ranges::all_of(node.inputs, [&](int id) {
    if (id == kAbsent) return true;
    const Operand* operand = l.operand(id);
    return operand != nullptr && std::holds_alternative<Tensor>(*operand);
  });
}

/// Numbers that a product of these sizes multiplies: m k n is the root of (m k) (k n) (m n).
double multiplications(const IrNode& node, std::span<const Tensor* const> inputs, std::span<const Tensor> outputs) {
  if (node.op != "MatMul" && node.op != "Gemm" && node.op != "Conv") return 0;
  const auto size = [](const Tensor& tensor) { return static_cast<double>(tensor.size()); };
  return std::sqrt(size(*inputs[0]) * size(*inputs[1]) * size(outputs[0]));
}

Status fold(Lowering& l, const IrNode& node) {
  std::vector<const Tensor*> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(l.constant(node, i));
  double read = 0, made = 0;
  for (const Tensor* input : inputs) read += input != nullptr ? static_cast<double>(input->size()) : 0;
  TESSERA_TRY(l.spend(node, read));
  auto outputs = evaluate(node, inputs, l.opset());
  if (!outputs) return outputs.error();
  for (const Tensor& output : *outputs) made += static_cast<double>(output.size());
  TESSERA_TRY(l.spend(node, made + multiplications(node, inputs, *outputs)));
  for (std::size_t i = 0; i < outputs->size(); ++i) l.define(node, std::move((*outputs)[i]), i);
  return {};
}

Status lower_node(Lowering& l, const IrNode& node) {
  if (can_evaluate(node.op) && all_known(l, node)) return fold(l, node);
  if (const Operator* op = find_operator(node.op)) return op->lower(l, node);
  return not_supported(node, "works on known numbers only, and these are computed from the picture");
}

class Lowerer {
 public:
  Lowerer(std::string_view name, const IrGraph& from, const LowerOptions& options)
      : name_(name), from_(from), options_(options), lowering_(from, out_.graph) {}

  Result<Lowered> run(std::span<const int> outputs) {
    const auto nodes = needed_nodes(from_, outputs);
    TESSERA_TRY(check_operators(name_, nodes));
    for (std::size_t id = 0; id < from_.values.size(); ++id) {
      if (const auto& constant = from_.values[id].constant) lowering_.set(static_cast<int>(id), *constant);
    }
    for (const IrInput& input : from_.inputs) TESSERA_TRY(add_input(input));
    for (const IrNode* node : nodes) {
      if (const Status done = lower_node(lowering_, *node); !done) {
        return Error{done.error().code, text("model ", tessera::quoted(name_), ": ", done.error().message)};
      }
      for (const int id : node->outputs) note_order(id);
    }
    for (const int id : outputs) TESSERA_TRY(add_output(id));
    return std::move(out_);
  }

 private:
  Status add_input(const IrInput& input) {
    const auto dims = input_dims(name_, from_, input, options_);
    if (!dims) return dims.error();
    // Pixels with their channels together, whichever way the file has them.
    const bool channels_last = dims->size() == 4 && (*dims)[3] == 3 && (*dims)[1] != 3;
    const Order order = dims->size() == 4 && !channels_last ? image_order(4) : natural_order(dims->size());
    const Shape4 shape = four_extents(permuted(*dims, order));
    for (const std::int64_t extent : shape) {
      if (extent < 1 || extent > kMaxExtent) {
        return Error{Code::limit_exceeded, text("model ", tessera::quoted(name_), ": input of ", shown(*dims))};
      }
    }
    const ValueId value =
        out_.graph.add_input(lowering_.unique(from_.value(input.value).name), {shape[0], shape[1], shape[2], shape[3]});
    lowering_.set(input.value, whole(value, input.kind, *dims, order));
    note_order(input.value);
    return {};
  }

  /// How the value's numbers lie, when the engine's value of that name holds all of them.
  void note_order(int id) {
    const Operand* operand = lowering_.operand(id);
    const View* view = operand != nullptr ? std::get_if<View>(operand) : nullptr;
    if (view == nullptr || !covers(*view, lowering_.elements(view->base))) return;
    const std::string& name = out_.graph.value(view->base).name;
    if (name != from_.value(id).name) return;
    out_.axis_orders[name] = {{view->dims.begin(), view->dims.end()}, memory_order(*view), ""};
  }

  Status add_output(int id) {
    const IrNode as_node{
        .op = "output", .name = from_.value(id).name, .inputs = {id}, .outputs = {id}, .attributes = {}};
    const auto seen = lowering_.view(as_node, 0);
    if (!seen) return seen.error();
    auto view = lowering_.compact(as_node, *seen);
    if (!view) return view.error();
    // A graph's output is a node's own result, no other output, and has the file's name for it.
    const bool taken = std::ranges::count(out_.graph.outputs, view->base) > 0;
    const bool given = std::holds_alternative<InputAttrs>(out_.graph.producer(view->base).attrs);
    if (taken || given || out_.graph.value(view->base).name != from_.value(id).name) {
      const auto copy = lowering_.add(as_node, IdentityAttrs{}, {view->base});
      if (!copy) return copy.error();
      view->base = *copy;
    }
    out_.graph.outputs.push_back(view->base);
    out_.axis_orders[out_.graph.value(view->base).name] = {
        {view->dims.begin(), view->dims.end()}, memory_order(*view), ""};
    return {};
  }

  std::string name_;
  const IrGraph& from_;
  LowerOptions options_;
  Lowered out_;
  Lowering lowering_;
};

}  // namespace

Result<Dims> input_dims(std::string_view name, const IrGraph& graph, const IrInput& input,
                        const LowerOptions& options) {
  Dims dims = input.dims;
  const bool picture = dims.size() == 4 && input.kind == Kind::real;
  const bool channels_last = picture && dims[3] == 3 && dims[1] != 3;
  const int height = channels_last ? 1 : 2;
  if (dims.size() > 0 && dims[0] < 0) dims[0] = options.batch;
  if (picture && options.size) {
    const std::int64_t wanted[] = {options.size->height, options.size->width};
    for (int i = 0; i < 2; ++i) {
      std::int64_t& extent = dims[height + i];
      if (extent >= 0 && extent != wanted[i]) {
        return Error{
            Code::invalid_argument,
            text("model ", tessera::quoted(name), ": input ", tessera::quoted(graph.value(input.value).name), " is ",
                 shown(input.dims), " in the file, which fixes its size: export it with open extents")};
      }
      extent = wanted[i];
    }
  }
  for (int axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] > 0) continue;
    return Error{
        Code::invalid_argument,
        text("model ", tessera::quoted(name), ": input ", tessera::quoted(graph.value(input.value).name), " is ",
             shown(input.dims), ": the file leaves axis ", axis, " open", picture ? ": give --size" : "")};
  }
  return dims;
}

Result<Lowered> lower(std::string_view name, const IrGraph& graph, std::span<const int> outputs,
                      const LowerOptions& options) {
  return Lowerer(name, graph, options).run(outputs);
}

}  // namespace tessera::onnx
