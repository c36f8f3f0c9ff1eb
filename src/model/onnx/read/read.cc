#include "model/onnx/read/read.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <unordered_map>
#include <utility>

#include "base/file_bytes.h"
#include "base/text.h"
#include "graph/ops/ops.h"
#include "model/onnx/read/order.h"
#include "model/onnx/read/tensor.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

constexpr std::size_t kMaxValues = 4 * static_cast<std::size_t>(kMaxNodes);

/// Names to values while a graph is read.
class Reader {
 public:
  Reader(std::string_view name, const std::filesystem::path& folder) : name_(name), folder_(folder) {}

  Result<IrGraph> read(::onnx::ModelProto& model) {
    TESSERA_TRY(read_opset(model));
    for (const auto& entry : model.metadata_props()) graph_.metadata[entry.key()] = entry.value();
    graph_.producer = model.producer_name();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    if (graph.sparse_initializer_size() > 0) return refuse("has sparse tensors");
    if (graph.node_size() > kMaxNodes)
      return refuse(text("has ", graph.node_size(), " nodes, want at most ", kMaxNodes));
    for (auto& tensor : *graph.mutable_initializer()) TESSERA_TRY(read_initializer(tensor));
    for (const auto& input : graph.input()) TESSERA_TRY(read_input(input));
    for (auto& node : *graph.mutable_node()) TESSERA_TRY(read_node(node));
    TESSERA_TRY(read_outputs(graph));
    TESSERA_TRY(put_in_order(graph_, text("model ", tessera::quoted(name_))));
    return std::move(graph_);
  }

 private:
  Error refuse(std::string_view why) const {
    return {Code::unsupported, text("model ", tessera::quoted(name_), ' ', why)};
  }
  Error broken(std::string_view why) const {
    return {Code::corrupt, text("model ", tessera::quoted(name_), ": ", why)};
  }

  Status read_opset(const ::onnx::ModelProto& model) {
    for (const auto& opset : model.opset_import()) {
      if (opset.domain().empty() || opset.domain() == "ai.onnx") graph_.opset = opset.version();
    }
    if (graph_.opset >= kOldestOpset && graph_.opset <= kNewestOpset) return {};
    return refuse(text("is of operator set ", graph_.opset, ", want ", kOldestOpset, " to ", kNewestOpset));
  }

  Result<int> value(const std::string& name) {
    const auto [found, is_new] = ids_.try_emplace(name, static_cast<int>(graph_.values.size()));
    if (!is_new) return found->second;
    if (graph_.values.size() == kMaxValues) return refuse(text("has more than ", kMaxValues, " values"));
    graph_.values.push_back({name, std::nullopt});
    made_.push_back(false);
    return found->second;
  }
  /// The value of a name that this place makes; nobody else may.
  Result<int> make(const std::string& name) {
    const auto id = value(name);
    if (!id) return id;
    if (made_[static_cast<std::size_t>(*id)]) return broken(text("two places make ", tessera::quoted(name)));
    made_[static_cast<std::size_t>(*id)] = true;
    return id;
  }

  Status read_initializer(::onnx::TensorProto& proto) {
    auto tensor = read_tensor(
        proto, text("model ", tessera::quoted(name_), ": initializer ", tessera::quoted(proto.name())), folder_);
    if (!tensor) return tensor.error();
    const auto id = make(proto.name());
    if (!id) return id.error();
    graph_.values[static_cast<std::size_t>(*id)].constant = std::move(*tensor);
    return {};
  }

  Status read_input(const ::onnx::ValueInfoProto& proto) {
    const auto known = ids_.find(proto.name());
    if (known != ids_.end() && graph_.value(known->second).constant)
      return {};  // before version 4 constants stood here
    const std::string what = text("model ", tessera::quoted(name_), ": input ", tessera::quoted(proto.name()));
    if (!proto.type().has_tensor_type()) return Error{Code::unsupported, text(what, " is no tensor")};
    const auto& type = proto.type().tensor_type();
    const auto kind = kind_of(type.elem_type(), what);
    if (!kind) return kind.error();
    IrInput input{.value = kAbsent, .kind = *kind, .dims = {}, .symbols = {}};
    for (const auto& dim : type.shape().dim()) {
      const bool fixed = dim.has_dim_value() && dim.dim_value() > 0;
      if (dim.has_dim_value() && dim.dim_value() < -1) {
        return Error{Code::corrupt, text(what, ": an extent of ", dim.dim_value())};
      }
      input.dims.push_back(fixed ? dim.dim_value() : -1);
      input.symbols.push_back(dim.dim_param());
    }
    if (!input.dims.fits()) return Error{Code::limit_exceeded, text(what, ": more than ", Dims::kMax, " axes")};
    const auto id = make(proto.name());
    if (!id) return id.error();
    input.value = *id;
    graph_.inputs.push_back(std::move(input));
    return {};
  }

  Status read_node(::onnx::NodeProto& proto) {
    IrNode node;
    const bool standard = proto.domain().empty() || proto.domain() == "ai.onnx";
    node.op = standard ? proto.op_type() : text(proto.domain(), '.', proto.op_type());
    const std::string* first = proto.output_size() > 0 ? &proto.output(0) : nullptr;
    node.name = !proto.name().empty() || first == nullptr ? proto.name() : *first;
    for (const auto& input : proto.input()) {
      const auto id = input.empty() ? Result<int>(kAbsent) : value(input);
      if (!id) return id.error();
      node.inputs.push_back(*id);
    }
    for (const auto& output : proto.output()) {
      const auto id = output.empty() ? Result<int>(kAbsent) : make(output);
      if (!id) return id.error();
      node.outputs.push_back(*id);
    }
    for (auto& attribute : *proto.mutable_attribute()) TESSERA_TRY(read_attribute(attribute, node));
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  /// Graphs and other kinds that no operator here has are left out: the operators that want them are refused by name.
  Status read_attribute(::onnx::AttributeProto& proto, IrNode& node) {
    using Proto = ::onnx::AttributeProto;
    Attribute& out = node.attributes[proto.name()];
    switch (proto.type()) {
      case Proto::INT:
        out = proto.i();
        return {};
      case Proto::FLOAT:
        out = proto.f();
        return {};
      case Proto::STRING:
        out = proto.s();
        return {};
      case Proto::INTS:
        out = std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
        return {};
      case Proto::FLOATS:
        out = std::vector<float>(proto.floats().begin(), proto.floats().end());
        return {};
      case Proto::TENSOR: {
        auto tensor = read_tensor(*proto.mutable_t(),
                                  text("model ", tessera::quoted(name_), ": ", node.op, ' ', tessera::quoted(node.name),
                                       ", ", tessera::quoted(proto.name())),
                                  folder_);
        if (!tensor) return tensor.error();
        out = std::move(*tensor);
        return {};
      }
      default:
        node.attributes.erase(proto.name());
        return {};
    }
  }

  Status read_outputs(const ::onnx::GraphProto& graph) {
    if (graph.output_size() == 0) return broken("no outputs");
    if (graph.output_size() > kMaxNodes)
      return refuse(text("has ", graph.output_size(), " outputs, want at most ", kMaxNodes));
    for (const auto& output : graph.output()) {
      const auto found = ids_.find(output.name());
      if (found == ids_.end()) return broken(text("output ", tessera::quoted(output.name()), " is made by no node"));
      graph_.outputs.push_back(found->second);
    }
    return {};
  }

  std::string name_;
  std::filesystem::path folder_;
  IrGraph graph_;
  std::unordered_map<std::string, int> ids_;
  std::vector<bool> made_;
};

/// A mapped file in pieces. What has been read leaves this process's memory: of large weights, the copies in the parsed
/// model are enough.
class MappedInput final : public google::protobuf::io::ZeroCopyInputStream {
 public:
  explicit MappedInput(std::span<const std::byte> bytes)
      : bytes_(bytes), input_(bytes.data(), static_cast<int>(bytes.size()), kPiece) {}
  bool Next(const void** data, int* size) override {
    const auto done = static_cast<std::size_t>(input_.ByteCount());
    give_back(bytes_.subspan(gone_, done - gone_));
    gone_ = done;
    return input_.Next(data, size);
  }
  void BackUp(int count) override { input_.BackUp(count); }
  bool Skip(int count) override { return input_.Skip(count); }
  std::int64_t ByteCount() const override { return input_.ByteCount(); }

 private:
  static constexpr int kPiece = 1 << 20;
  std::span<const std::byte> bytes_;
  google::protobuf::io::ArrayInputStream input_;
  std::size_t gone_ = 0;
};

bool parse(std::span<const std::byte> bytes, bool mapped, ::onnx::ModelProto& model) {
  if (!mapped) return model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  MappedInput input(bytes);
  return model.ParseFromZeroCopyStream(&input);
}

}  // namespace

// Field 1, ir_version, a varint: exporters write it first, and no other format here begins with it. Without it the
// first field may be 7, the graph, or 8, an operator set.
bool recognizes(std::span<const std::byte> model) {
  if (model.size() < 4) return false;
  const auto first = std::to_integer<int>(model[0]), second = std::to_integer<int>(model[1]);
  return (first == 0x08 && second >= 3 && second < 32) || first == 0x3a || first == 0x42;
}

Result<IrGraph> read(std::string_view name, std::span<const std::byte> bytes, const std::filesystem::path& folder,
                     bool mapped) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Error{Code::limit_exceeded,
                 text("model ", tessera::quoted(name), ": ", static_cast<std::int64_t>(bytes.size()),
                      " bytes; an ONNX file has less than 2 GiB, with larger weights outside")};
  }
  ::onnx::ModelProto model;
  if (!parse(bytes, mapped, model) || !model.has_graph()) {
    return Error{Code::corrupt,
                 text("model ", tessera::quoted(name), ": its bytes are no ONNX model, or end too early")};
  }
  return Reader(name, folder).read(model);
}

}  // namespace tessera::onnx
