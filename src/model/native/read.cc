#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <unordered_map>

#include "base/checked.h"
#include "base/text.h"
#include "model/native/blob.h"
#include "model/native/codec.h"
#include "model/native/fields.h"
#include "model/native/header.h"
#include "model/native/native.h"
#include "model/untrusted_text.h"

namespace tessera::native {
namespace {

/// Names of the nodes so far, to their values.
using Names = std::unordered_map<std::string, ValueId>;

/// Reads the fields of one line. The first error sticks; finish() also reports keys that nobody asked for.
class LineReader {
 public:
  LineReader(std::string_view model, const HeaderLine& line, const Constants& constants, const Names& names)
      : model_(model), line_(line), constants_(constants), names_(names) {}

  template <class... Parts>
  void operator()(std::string_view key, Parts&... parts) {
    std::string_view rest = take(key);
    if (rest.empty()) return;
    if constexpr (sizeof...(Parts) == 1) {
      if (!(decode(rest, parts) && ...)) wrong(key, "");
    } else {
      const bool good = static_cast<std::size_t>(std::ranges::count(rest, ',')) + 1 == sizeof...(Parts) &&
                        (decode(next_piece(rest, ','), parts) && ...);
      if (!good) wrong(key, text("; want ", sizeof...(Parts), " values with commas between them"));
    }
  }
  void operator()(std::string_view key, Constant& constant) {
    const std::string_view value = take(key);
    if (value.empty()) return;
    const auto index = parse_number<std::size_t>(value);
    if (!index || *index >= constants_.size()) return wrong(key, text("; constants run up to ", constants_.size()));
    constant = constants_[*index];
  }
  void operator()(std::string_view key, ValueRef ref) {
    std::vector<ValueId> ids;
    values(key, ids);
    if (ids.size() == 1) ref.id = ids.front();
  }
  void values(std::string_view key, std::vector<ValueId>& ids) {
    for (std::string_view rest = take(key); !rest.empty();) {
      std::string name;
      const bool good = decode(next_piece(rest, ','), name);
      const auto found = names_.find(name);
      if (!good || found == names_.end()) return wrong(key, "; want names of nodes in earlier lines");
      ids.push_back(found->second);
    }
  }
  /// The field's text; an error when the line lacks it.
  std::string required(std::string_view key) {
    std::string value;
    (*this)(key, value);
    if (value.empty()) fail(text("lacks the key '", key, "'"));
    return value;
  }
  void fail(std::string_view fact) {
    if (!error_) error_ = header_error(model_, line_.number, fact);
  }
  Status finish() {
    for (const HeaderField& field : line_.fields) {
      if (std::ranges::find(asked_, field.key) == asked_.end())
        fail(text("key ", quoted(field.key), " is not known here"));
    }
    return error_ ? Status(*error_) : Status();
  }

 private:
  std::string_view take(std::string_view key) {
    asked_.push_back(key);
    const HeaderField* field = line_.find(key);
    if (field == nullptr) return {};
    if (field->value.empty()) fail(text("key '", key, "' has no value"));
    return field->value;
  }
  void wrong(std::string_view key, std::string_view wish) {
    fail(text("key '", key, "' cannot be ", quoted(line_.find(key)->value), wish));
  }

  std::string_view model_;
  const HeaderLine& line_;
  const Constants& constants_;
  const Names& names_;
  std::vector<std::string_view> asked_;
  std::optional<Error> error_;
};

/// The operator with this name, attributes at their defaults; nullopt for other words.
template <std::size_t I = 0>
std::optional<Attrs> attrs_named(std::string_view word) {
  if constexpr (I == std::variant_size_v<Attrs>) {
    return std::nullopt;
  } else {
    Attrs attrs{std::in_place_index<I>};
    return word == op_name(attrs) ? std::optional(std::move(attrs)) : attrs_named<I + 1>(word);
  }
}

class ModelReader {
 public:
  ModelReader(std::string_view name, const Constants& constants) : name_(name), constants_(constants) {}

  Status line(const HeaderLine& line) {
    LineReader read(name_, line, constants_, names_);
    if (is_once(line.word) && !once_.insert(line.word).second)
      read.fail(text("second ", line.word, "; a model has one"));
    if (line.word == "model") {
      model_.name = read.required("name");
    } else if (line.word == "preprocess") {
      fields(read, model_.preprocess);
    } else if (line.word == "detector") {
      fields(read, model_.detector.emplace());
    } else if (line.word == "class") {
      model_.class_names.push_back(read.required("name"));
    } else if (line.word == "head") {
      heads_.push_back(&line);  // names a node, so it is read when all are known
      return {};
    } else if (line.word == "graph") {
      read.values("inputs", model_.graph.inputs);
      read.values("outputs", model_.graph.outputs);
    } else {
      node(line, read);
    }
    return read.finish();
  }

  Result<Model> finish() {
    for (const HeaderLine* line : heads_) {
      LineReader read(name_, *line, constants_, names_);
      DetectorHead head;
      fields(read, head);
      if (!model_.detector) read.fail("head without a detector line");
      TESSERA_TRY(read.finish());
      model_.detector->heads.push_back(std::move(head));
    }
    if (model_.name.empty()) model_.name = name_;
    model_.format = kNative.name;
    return std::move(model_);
  }

 private:
  void node(const HeaderLine& line, LineReader& read) {
    auto attrs = attrs_named(line.word);
    if (!attrs) return read.fail(text(quoted(line.word), " is neither an operator nor another word of this format"));
    const std::string name = read.required("name");
    std::vector<ValueId> inputs;
    Extents shape{0, 0, 0, 0};
    DType type = DType::Float32;
    if (std::holds_alternative<InputAttrs>(*attrs)) {
      read("shape", shape.n, shape.h, shape.w, shape.c);
      read("type", type);
    } else {
      read.values("inputs", inputs);
    }
    std::visit([&](auto& a) { fields(read, a); }, *attrs);
    const ValueId id = model_.graph.add(name, std::move(*attrs), std::move(inputs));
    model_.graph.value(id).spec.dtype = type;
    if (shape.n != 0) model_.graph.value(id).spec.shape = {shape.n, shape.h, shape.w, shape.c};
    if (!names_.emplace(name, id).second) read.fail(text("a second node is called ", quoted(name)));
  }

  std::string_view name_;
  const Constants& constants_;
  static bool is_once(std::string_view word) {
    return word == "model" || word == "preprocess" || word == "detector" || word == "graph";
  }

  Names names_;
  std::set<std::string_view> once_;  ///< the words seen that may stand once
  std::vector<const HeaderLine*> heads_;
  Model model_;
};

bool recognizes(std::span<const std::byte> model) {
  // Any version: the reader then says which one it wants.
  constexpr std::string_view kFamily = "tessera-model ";
  return model.size() >= kFamily.size() && std::memcmp(model.data(), kFamily.data(), kFamily.size()) == 0;
}

Result<Model> load(const ModelBytes& bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.model.data()), bytes.model.size());
  const auto header = parse_header(file, bytes.name);
  if (!header) return header.error();
  const auto constants = read_constants(*header, bytes.file, bytes.name);
  if (!constants) return constants.error();
  ModelReader reader(bytes.name, *constants);
  for (const HeaderLine& line : header->lines) {
    if (line.word != "constant" && line.word != "blob") TESSERA_TRY(reader.line(line));
  }
  auto model = reader.finish();
  if (!model) return model;
  if (bytes.size) TESSERA_TRY(set_input_size(*model, *bytes.size));
  return model;
}

}  // namespace

constexpr Format kNative{"native", ".tessera", "Tessera's own file, weights included", false, recognizes, load};

}  // namespace tessera::native
