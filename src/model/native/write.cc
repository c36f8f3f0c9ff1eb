#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text.h"
#include "model/native/codec.h"
#include "model/native/crc32.h"
#include "model/native/fields.h"
#include "model/native/native.h"

namespace tessera {
namespace native {
namespace {

constexpr std::size_t align_up(std::size_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

/// Numbers constants in order of first use and gives each a place in the blob.
class Blob {
 public:
  std::size_t index_of(const Constant& constant) {
    const auto [found, fresh] = index_.try_emplace({constant->data(), constant->size()}, constants_.size());
    if (fresh) constants_.push_back(constant);
    return found->second;
  }
  std::string lines() const {
    std::string out;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      out += text("constant index=", i, " type=f32 offset=", offset, " count=", constants_[i]->size(), "\n");
      offset = align_up(offset + constants_[i]->size() * sizeof(float));
    }
    return out;
  }
  std::string bytes() const {
    std::string out;
    for (const Constant& constant : constants_) {
      out.resize(align_up(out.size()));
      out.append(reinterpret_cast<const char*>(constant->data()), constant->size() * sizeof(float));
    }
    return out;
  }

 private:
  std::vector<Constant> constants_;
  std::map<std::pair<const float*, std::size_t>, std::size_t> index_;
};

/// Appends " key=value,value" for every field that does not stand at its default of nothing.
class LineWriter {
 public:
  LineWriter(const Graph& graph, Blob& blob, std::string& out) : graph_(graph), blob_(blob), out_(out) {}

  template <class First, class... Rest>
  void operator()(std::string_view key, const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) {
      if (is_left_out(first)) return;
    }
    out_ += text(" ", key, "=", encode(first));
    (out_.append(",").append(encode(rest)), ...);
  }
  void operator()(std::string_view key, const Constant& constant) {
    if (constant) out_ += text(" ", key, "=", blob_.index_of(constant));
  }
  void operator()(std::string_view key, ValueRef ref) {
    if (ref.id != kNone) values(key, {&ref.id, 1});
  }
  void values(std::string_view key, std::span<const ValueId> ids) {
    std::string_view before = "=";
    out_ += text(" ", key);
    for (ValueId id : ids) out_ += text(std::exchange(before, ","), escape(graph_.producer(id).name));
  }

 private:
  const Graph& graph_;
  Blob& blob_;
  std::string& out_;
};

void write_node(const Graph& graph, const Node& node, Blob& blob, std::string& out) {
  out += text(op_name(node.attrs), " name=", escape(node.name));
  LineWriter line(graph, blob, out);
  if (std::holds_alternative<InputAttrs>(node.attrs)) {
    const Extents shape = extents(graph.value(node.output).spec);
    line("shape", shape.n, shape.h, shape.w, shape.c);
    line("type", graph.value(node.output).spec.dtype);
  } else if (!node.inputs.empty()) {
    line.values("inputs", node.inputs);
  }
  Attrs attrs = node.attrs;  // fields() serves reading too, so it wants them writable
  std::visit([&](auto& a) { fields(line, a); }, attrs);
  out += '\n';
}

std::string model_lines(const Model& model, Blob& blob) {
  std::string out = text("model name=", escape(model.name), "\n");
  LineWriter line(model.graph, blob, out);
  Preprocess preprocess = model.preprocess;
  out += "preprocess";
  fields(line, preprocess);
  out += '\n';
  if (model.detector) {
    DetectorSpec detector = *model.detector;
    out += "detector";
    fields(line, detector);
    for (DetectorHead& head : detector.heads) out += "\nhead", fields(line, head);
    out += '\n';
  }
  for (const std::string& name : model.class_names) out += text("class name=", escape(name), "\n");
  for (const Node& node : model.graph.nodes) write_node(model.graph, node, blob, out);
  out += "graph";
  line.values("inputs", model.graph.inputs);
  line.values("outputs", model.graph.outputs);
  return out + "\n";
}

std::string hex8(std::uint32_t v) {
  std::string out(8, '0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = "0123456789abcdef"[v >> (28 - 4 * i) & 15];
  return out;
}

std::uint32_t crc_of(std::string_view s) { return crc32(std::as_bytes(std::span(s))); }

}  // namespace
}  // namespace native

std::string native_bytes(const Model& model) {
  using namespace native;
  Blob blob;
  std::string out = text(kMagic, "\n", model_lines(model, blob));
  out += blob.lines();  // after the nodes: they are what fills the blob
  const std::string constants = blob.bytes();
  out += text("blob bytes=", constants.size(), " crc32=", hex8(crc_of(constants)), "\n");
  out += text("end crc32=", hex8(crc_of(out)), "\n");
  out.resize(align_up(out.size()), '\n');
  return out += constants;
}

Status write_native(const Model& model, const std::string& path) {
  const std::string bytes = native_bytes(model), part = path + ".part";
  // What could not be read again, an infinite weight for one, is told now.
  const auto again = native::kNative.load(ModelBytes{
      .name = model.name, .model = std::as_bytes(std::span(bytes)), .weights = {}, .names = {}, .size = {}, .log = {}});
  if (!again) return Error{again.error().code, text("model '", path, "': cannot be stored: ", again.error().message)};
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (file && !error) return {};
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return Error{Code::io,
               text("model '", path, "': cannot be written", error ? text(", ", error.message()) : std::string())};
}

}  // namespace tessera
