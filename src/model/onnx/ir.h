#pragma once
// An ONNX graph as plain data, read and checked but not yet understood: what evaluate/, lower/ and detect/ work on.
// Names became indices; nodes stand in execution order; every number is f32 or i64.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/attrs.h"
#include "graph/dims.h"

namespace tessera::onnx {

/// What a tensor's numbers mean. Halves, doubles and narrower integers are widened or narrowed to these on reading;
/// truth values are integers 0 and 1.
enum class Kind : std::uint8_t { real, integer, boolean };

using Integers = std::shared_ptr<const std::vector<std::int64_t>>;

/// A constant: `reals` for Kind::real, `integers` for the others, row-major. Rank 0 holds one number.
struct Tensor {
  Kind kind = Kind::real;
  Dims dims;
  Constant reals;
  Integers integers;

  bool is_real() const noexcept { return kind == Kind::real; }
  std::int64_t size() const noexcept;  ///< elements; 0 is possible
  /// Element `index` as a double, whatever the kind.
  double at(std::int64_t index) const noexcept {
    const auto i = static_cast<std::size_t>(index);
    return is_real() ? double{(*reals)[i]} : static_cast<double>((*integers)[i]);
  }
};
Tensor real_tensor(const Dims& dims, std::vector<float> values);
Tensor integer_tensor(const Dims& dims, std::vector<std::int64_t> values, Kind kind = Kind::integer);

using Attribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>, Tensor>;

inline constexpr int kAbsent = -1;  ///< an optional input or output that is not there

struct IrNode {
  std::string op;            ///< "Conv"; of the standard operator set
  std::string name;          ///< as errors call it: its own name, else its first output's
  std::vector<int> inputs;   ///< values, or kAbsent
  std::vector<int> outputs;  ///< values, or kAbsent
  std::map<std::string, Attribute, std::less<>> attributes;

  int input(std::size_t i) const noexcept { return i < inputs.size() ? inputs[i] : kAbsent; }
  std::int64_t int_or(std::string_view key, std::int64_t fallback) const;
  float float_or(std::string_view key, float fallback) const;
  std::string string_or(std::string_view key, std::string_view fallback) const;
  /// nullptr when absent or of another type (reading has checked the types of keys that are known).
  const std::vector<std::int64_t>* ints(std::string_view key) const;
  const std::vector<float>* floats(std::string_view key) const;
  const Tensor* tensor(std::string_view key) const;
  bool has(std::string_view key) const { return attributes.contains(key); }
};

struct IrValue {
  std::string name;
  std::optional<Tensor> constant;  ///< an initializer
};

/// A graph input that is no initializer. dims: -1 where the file leaves the extent open (`symbols` has its name or "").
struct IrInput {
  int value = kAbsent;
  Kind kind = Kind::real;
  Dims dims;
  std::vector<std::string> symbols;
};

struct IrGraph {
  std::string name;
  std::int64_t opset = 0;  ///< of the standard domain
  std::string producer;
  std::map<std::string, std::string> metadata;  ///< key-value properties: Ultralytics' names, stride, task, imgsz
  std::vector<IrValue> values;
  std::vector<IrNode> nodes;  ///< inputs are constants, graph inputs or outputs of earlier nodes
  std::vector<IrInput> inputs;
  std::vector<int> outputs;

  const IrValue& value(int id) const { return values[static_cast<std::size_t>(id)]; }
};

}  // namespace tessera::onnx
