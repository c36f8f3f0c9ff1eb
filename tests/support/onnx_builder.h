#pragma once
// Small ONNX files for tests, written with protobuf itself: `proto` is open to whatever a test wants to break.

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::testing {

class OnnxBuilder {
 public:
  using Names = std::vector<std::string>;
  using Extents = std::vector<std::int64_t>;

  explicit OnnxBuilder(std::int64_t opset = 13) {
    proto.set_ir_version(8);
    proto.set_producer_name("test");
    proto.add_opset_import()->set_version(opset);
    proto.mutable_graph()->set_name("graph");
  }

  /// An extent of -1 is left open.
  std::string input(const std::string& name, const Extents& dims, std::int32_t type = ::onnx::TensorProto::FLOAT) {
    auto* value = proto.mutable_graph()->add_input();
    value->set_name(name);
    auto* tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    for (const std::int64_t extent : dims) {
      auto* dim = tensor->mutable_shape()->add_dim();
      extent < 0 ? dim->set_dim_param("open") : dim->set_dim_value(extent);
    }
    return name;
  }
  std::string reals(const std::string& name, const Extents& dims, const std::vector<float>& values) {
    ::onnx::TensorProto* tensor = initializer(name, dims, ::onnx::TensorProto::FLOAT);
    for (const float value : values) tensor->add_float_data(value);
    return name;
  }
  std::string integers(const std::string& name, const Extents& dims, const std::vector<std::int64_t>& values) {
    ::onnx::TensorProto* tensor = initializer(name, dims, ::onnx::TensorProto::INT64);
    for (const std::int64_t value : values) tensor->add_int64_data(value);
    return name;
  }
  /// One-dimensional.
  std::string integers(const std::string& name, const std::vector<std::int64_t>& values) {
    return integers(name, {static_cast<std::int64_t>(values.size())}, values);
  }
  ::onnx::TensorProto* initializer(const std::string& name, const Extents& dims, std::int32_t type) {
    ::onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const std::int64_t extent : dims) tensor->add_dims(extent);
    return tensor;
  }

  /// A node called "n_" and its first output's name; attributes are added with the functions below.
  ::onnx::NodeProto& node(const std::string& op, const Names& inputs, const Names& outputs) {
    ::onnx::NodeProto& node = *proto.mutable_graph()->add_node();
    node.set_op_type(op);
    if (!outputs.empty()) node.set_name("n_" + outputs.front());
    for (const std::string& name : inputs) node.add_input(name);
    for (const std::string& name : outputs) node.add_output(name);
    return node;
  }
  void output(const std::string& name) { proto.mutable_graph()->add_output()->set_name(name); }

  std::string bytes() const { return proto.SerializeAsString(); }

  ::onnx::ModelProto proto;
};

inline ::onnx::AttributeProto& attribute(::onnx::NodeProto& node, const std::string& name,
                                         ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto& out = *node.add_attribute();
  out.set_name(name);
  out.set_type(type);
  return out;
}
inline ::onnx::NodeProto& with(::onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  attribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
  return node;
}
inline ::onnx::NodeProto& with(::onnx::NodeProto& node, const std::string& name, float value) {
  attribute(node, name, ::onnx::AttributeProto::FLOAT).set_f(value);
  return node;
}
inline ::onnx::NodeProto& with(::onnx::NodeProto& node, const std::string& name, const char* value) {
  attribute(node, name, ::onnx::AttributeProto::STRING).set_s(value);
  return node;
}
inline ::onnx::NodeProto& with(::onnx::NodeProto& node, const std::string& name, std::vector<std::int64_t> values) {
  auto& out = attribute(node, name, ::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) out.add_ints(value);
  return node;
}

inline std::span<const std::byte> bytes_of(std::string_view file) { return std::as_bytes(std::span(file)); }

}  // namespace tessera::testing
