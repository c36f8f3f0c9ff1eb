#include "device/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "tensor/element_count.h"
#include "tensor/npy.h"

namespace tessera {
namespace {

// One layer's numbers without gaps, NHWC.
struct Layer {
  Shape shape;
  std::vector<float> data;
  std::string impl;
};
using Layers = std::map<std::string, Layer>;

std::vector<float> gather(const TensorRef& t) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(t.n * t.h * t.w * t.c));
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    out.insert(out.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
  }
  return out;
}

/// The first number that is no byte.
std::optional<std::size_t> first_no_byte(std::span<const float> data) {
  const auto found = std::ranges::find_if_not(data, is_byte);
  return found == data.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - data.begin()));
}

void scatter(const std::vector<float>& data, const TensorRef& t) {
  if (t.bytes) {
    for (std::int64_t i = 0; i < t.n * t.h * t.w * t.c; ++i) {
      t.bytes[i / t.c * t.pixel_stride + i % t.c] = static_cast<std::uint8_t>(data[static_cast<std::size_t>(i)]);
    }
    return;
  }
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    std::copy_n(data.begin() + p * t.c, t.c, t.data + p * t.pixel_stride);
  }
}

Status check_inputs(const Graph& graph, InputData inputs) {
  if (inputs.size() != graph.inputs.size()) {
    return Error{Code::invalid_argument, text(inputs.size(), " inputs, the graph wants ", graph.inputs.size())};
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value& value = graph.value(graph.inputs[i]);
    const auto want = element_count(value.spec.shape);
    if (!want) return want.error();
    if (inputs[i].size() != static_cast<std::size_t>(*want)) {
      return Error{Code::invalid_argument, text("input '", value.name, "': ", inputs[i].size(), " numbers, want ",
                                                to_string(value.spec.shape), " = ", *want)};
    }
    const auto bad = value.spec.dtype == DType::UInt8 ? first_no_byte(inputs[i]) : std::nullopt;
    if (bad) {
      return Error{Code::invalid_argument, text("input '", value.name, "': number ", *bad, " is ", inputs[i][*bad],
                                                ", want whole ones from 0 to 255: it takes bytes")};
    }
  }
  return {};
}

// Runs once; see(node, output) after each node.
template <class See>
Status observe(const std::shared_ptr<const Executable>& exec, InputData inputs, ThreadPool& pool, const See& see) {
  auto context = ExecutionContext::create(exec, pool.threads());
  if (!context) return context.error();
  TESSERA_TRY(write_inputs(exec->graph(), inputs, *context));
  context->run_observed(pool, see);
  return {};
}

// Two equal infinities and two NaNs agree; one alone is infinitely far away.
double distance(float a, float b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(double{a} - double{b});
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

std::array<std::int64_t, 4> position(const Shape& nhwc, std::int64_t index) {
  std::array<std::int64_t, 4> at{};
  for (std::size_t axis = 4; axis-- > 0;) {
    at[axis] = index % nhwc[static_cast<int>(axis)];
    index /= nhwc[static_cast<int>(axis)];
  }
  return at;
}

LayerDifference compare_layers(const Layer& a, const Layer& b, const Tolerance& tolerance) {
  LayerDifference out;
  double largest = 0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if (std::isfinite(b.data[i])) largest = std::max(largest, std::abs(double{b.data[i]}));
    if (const double d = distance(a.data[i], b.data[i]); d > out.worst_absolute) {
      out.worst_absolute = d;
      worst = i;
    }
  }
  out.impl_a = a.impl;
  out.impl_b = b.impl;
  out.worst_relative = out.worst_absolute == 0 ? 0 : out.worst_absolute / largest;
  out.at = position(a.shape, static_cast<std::int64_t>(worst));
  out.a = a.data[worst];
  out.b = b.data[worst];
  out.within = out.worst_absolute <= tolerance.absolute + tolerance.relative * largest;
  return out;
}

// Runs `a` against what find(name, shape) gives: a Layer, or nullptr where the other side has none, or an Error.
template <class Find>
Result<Comparison> compare_run(const std::shared_ptr<const Executable>& a, InputData inputs, ThreadPool& pool,
                               const Tolerance& tolerance, const Find& find) {
  Comparison out;
  std::optional<Error> failure;
  const Graph& graph = a->graph();
  TESSERA_TRY(observe(a, inputs, pool, [&](std::size_t node, const TensorRef& output) {
    const Value& value = graph.value(graph.nodes[node].output);
    const Result<const Layer*> other = find(value);
    if (!other) failure = other.error();
    if (failure) return;
    if (!*other) {
      out.only_a.push_back(value.name);
      return;
    }
    const Layer mine{value.spec.shape, gather(output), a->choices()[node].impl};
    out.layers.push_back(compare_layers(mine, **other, tolerance));
    out.layers.back().value = value.name;
    if (!out.layers.back().within && !out.first_outside) out.first_outside = out.layers.size() - 1;
  }));
  if (failure) return *failure;
  return out;
}

// The dump in the value's linear order, or an error when its shape is not the value's.
Result<Layer> from_dump(const std::filesystem::path& path, const NpyArray& array, const Value& value,
                        const Dumps& dumps) {
  const AxisOrder order = axis_order_of(*dumps.orders, value.name, value.spec.shape, dumps.layout);
  if (!is_shape_of(order, array.shape)) {
    return Error{Code::invalid_argument, text("dump ", path.string(), ": has shape ", to_string(array.shape),
                                              ", value '", value.name, "' wants ", to_string(order))};
  }
  Layer out{value.spec.shape, std::vector<float>(array.data.size()), ""};
  AxisWalk places(order);
  for (float& number : out.data) number = array.data[places.next()];
  return out;
}

}  // namespace

bool is_byte(float number) noexcept { return number >= 0 && number <= 255 && number == std::floor(number); }

Status write_inputs(const Graph& graph, InputData inputs, ExecutionContext& context) {
  TESSERA_TRY(check_inputs(graph, inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i) scatter(inputs[i], context.input(i));
  return {};
}

Result<Comparison> compare_executables(const std::shared_ptr<const Executable>& a,
                                       const std::shared_ptr<const Executable>& b, InputData inputs, ThreadPool& pool,
                                       const Tolerance& tolerance) {
  Layers layers;
  TESSERA_TRY(observe(b, inputs, pool, [&](std::size_t node, const TensorRef& output) {
    const Value& value = b->graph().value(b->graph().nodes[node].output);
    layers[value.name] = {value.spec.shape, gather(output), b->choices()[node].impl};
  }));
  std::map<std::string, bool> seen;
  auto out = compare_run(a, inputs, pool, tolerance, [&](const Value& value) -> Result<const Layer*> {
    const auto found = layers.find(value.name);
    if (found == layers.end()) return static_cast<const Layer*>(nullptr);
    if (found->second.shape != value.spec.shape) {
      return Error{Code::invalid_argument,
                   text("value '", value.name, "': ", to_string(value.spec.shape), " in the first model, ",
                        to_string(found->second.shape), " in the second; want two runs of one model")};
    }
    seen[value.name] = true;
    return &found->second;
  });
  if (!out) return out;
  for (const auto& [name, layer] : layers) {
    if (!seen.contains(name)) out->only_b.push_back(name);
  }
  if (out->layers.empty()) {
    return Error{Code::invalid_argument, "no value has the same name in both runs; want two runs of one model"};
  }
  return out;
}

std::string dump_file_name(std::string_view value) {
  std::string out(value);
  for (char& ch : out) {
    const bool plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    if (!plain && ch != '.' && ch != '_' && ch != '-') ch = '_';
  }
  return out + ".npy";
}

Result<Comparison> compare_with_dumps(const std::shared_ptr<const Executable>& a, InputData inputs, const Dumps& dumps,
                                      ThreadPool& pool, const Tolerance& tolerance) {
  Layer current;
  std::string wanted;
  auto out = compare_run(a, inputs, pool, tolerance, [&](const Value& value) -> Result<const Layer*> {
    const std::filesystem::path path = dumps.folder / dump_file_name(value.name);
    std::error_code ignored;
    if (wanted.empty()) wanted = path.filename().string();
    if (!std::filesystem::exists(path, ignored)) return static_cast<const Layer*>(nullptr);
    auto array = read_npy(path);
    if (!array) return array.error();
    auto layer = from_dump(path, *array, value, dumps);
    if (!layer) return layer.error();
    current = *std::move(layer);
    return &current;
  });
  if (out && out->layers.empty()) {
    return Error{Code::not_found, text("folder ", dumps.folder.string(),
                                       ": no dump has the name of a value of the graph, '", wanted, "' for instance")};
  }
  return out;
}

Status write_dumps(const std::shared_ptr<const Executable>& a, InputData inputs, const std::filesystem::path& folder,
                   ThreadPool& pool) {
  Status status;
  TESSERA_TRY(observe(a, inputs, pool, [&](std::size_t node, const TensorRef& output) {
    if (!status.has_value()) return;
    const Value& value = a->graph().value(a->graph().nodes[node].output);
    status = write_npy(folder / dump_file_name(value.name), value.spec.shape, gather(output));
  }));
  return status;
}

}  // namespace tessera
