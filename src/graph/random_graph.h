#pragma once
// For tests of several folders: graphs of every operator from a seed, all shapes small, and constants from lists.

#include <algorithm>
#include <random>

#include "graph/graph.h"

namespace tessera::testing {

inline Constant constant(std::vector<float> values) {
  return std::make_shared<const std::vector<float>>(std::move(values));
}

/// Grows a graph node by node: each reads values that are there, preferring recent ones, so that chains, diamonds,
/// concats of concats, slices of slices and unread values all occur. One seed in four has an input of u8 as well.
///
/// An exact graph has operators that at most double an integer: with inputs up to 3 (bytes up to 6) and 20 nodes every
/// value and every partial sum stays below 2^24, so all orders of summation give the same bits.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed, bool exact = false) : exact_(exact), bytes_(seed % 4 == 2), random_(seed) {}

  Graph make(int nodes) {
    graph_ = Graph();
    for (int i = 0; i <= below(2); ++i) graph_.add_input("in" + std::to_string(i), {1 + below(2), 6, 6, 1 + below(20)});
    for (ValueId id : graph_.inputs) graph_.value(id).spec.shape[0] = graph_.value(graph_.inputs[0]).spec.shape[0];
    if (bytes_) add_bytes();
    while (static_cast<int>(graph_.nodes.size()) < nodes) grow();
    graph_.outputs = {static_cast<ValueId>(graph_.values.size()) - 1};
    for (int i = 0; i < below(3); ++i) {
      const ValueId id = any();
      if (std::ranges::count(graph_.outputs, id) == 0) graph_.outputs.push_back(id);
    }
    return std::move(graph_);
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

 private:
  ValueId any() {
    const int count = static_cast<int>(graph_.values.size());
    const ValueId id = below(3) ? std::max(0, count - 1 - below(4)) : below(count);
    return is_bytes(id) ? id + 1 : id;  // what from_bytes makes of them
  }
  bool is_bytes(ValueId id) const { return graph_.value(id).spec.dtype == DType::UInt8; }
  void add_bytes() {
    const int c = 1 + below(4);
    const auto channels = static_cast<std::size_t>(c);
    const ValueId id = graph_.add_input("bytes", {extents(graph_.value(0).spec).n, 6, 6, c}, DType::UInt8);
    add("numbers", FromBytesAttrs{std::vector<float>(channels, 1.0f), std::vector<float>(channels, -3.0f)}, {id});
  }
  Extents shape(ValueId id) const { return extents(graph_.value(id).spec); }
  // Another value of the same pixels (and channels), or `id` itself.
  ValueId like(ValueId id, bool same_channels) {
    std::vector<ValueId> found;
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      const Extents a = shape(id), b = shape(static_cast<ValueId>(i));
      if (is_bytes(static_cast<ValueId>(i))) continue;
      if (a.h == b.h && a.w == b.w && (!same_channels || a.c == b.c)) found.push_back(static_cast<ValueId>(i));
    }
    return found[static_cast<std::size_t>(below(static_cast<int>(found.size())))];
  }
  std::vector<float> integers(std::int64_t count, int low, int high) {
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = static_cast<float>(low + below(high - low + 1));
    return out;
  }
  // Two weights of 1 or -1 (or one of 2, -2, 0) for each output channel.
  std::vector<float> sparse(int oc, int per_channel) {
    std::vector<float> out(static_cast<std::size_t>(oc) * static_cast<std::size_t>(per_channel), 0.0f);
    for (int i = 0; i < 2 * oc; ++i) {
      out[static_cast<std::size_t>(i / 2 * per_channel + below(per_channel))] += below(2) ? 1.0f : -1.0f;
    }
    return out;
  }
  ActivationSpec activation() {
    constexpr Activation kKinds[] = {Activation::linear, Activation::relu, Activation::leaky, Activation::mish};
    return {kKinds[below(exact_ ? 2 : 4)], 0.125f};
  }

  void grow() {
    const ValueId id = any();
    const Extents e = shape(id);
    const std::string name = "n" + std::to_string(graph_.nodes.size());
    switch (below(15)) {
      case 0:
        return add(name, ActivationAttrs{activation()}, {id});
      case 1:
        return add(name, AddAttrs{activation()}, {id, like(id, true)});
      case 2:
        return exact_ ? grow_slice(name, id) : add(name, MulAttrs{activation()}, {id, like(id, true)});
      case 3:
        return grow_concat(name, id);
      case 4:
        return grow_slice(name, id);
      case 5:
        return add(name, IdentityAttrs{}, {id});
      case 6:
        return grow_pool(name, id);
      case 7:
        return e.h * e.w <= 36 ? add(name, UpsampleAttrs{2, 1, exact_ ? 1.0f : 0.5f}, {id}) : grow_conv(name, id);
      case 8:
        return exact_ || below(4) ? grow_conv(name, id) : add(name, GlobalAveragePoolAttrs{}, {id});
      case 9:
        return exact_ ? grow_concat(name, id) : grow_norm(name, id);
      case 10:
      case 11:
        return grow_moved(name, id);
      case 12:
        return grow_computed(name, id);
      default:
        return grow_conv(name, id);
    }
  }
  void add(const std::string& name, Attrs attrs, std::vector<ValueId> inputs) {
    graph_.add(name, std::move(attrs), std::move(inputs));
    graph_.outputs = {static_cast<ValueId>(graph_.values.size()) - 1};
    if (!infer_shapes(graph_).has_value()) {  // a shape that does not fit: take the node back
      graph_.nodes.pop_back();
      graph_.values.pop_back();
    }
  }
  void grow_concat(const std::string& name, ValueId id) {
    std::vector<ValueId> inputs{id};
    std::int64_t channels = shape(id).c;
    for (int i = below(4); i > 0; --i) {
      inputs.push_back(like(id, false));
      channels += shape(inputs.back()).c;
    }
    if (channels <= 96) add(name, ConcatAttrs{}, inputs);
  }
  void grow_slice(const std::string& name, ValueId id) {
    const int channels = static_cast<int>(shape(id).c), begin = below(channels);
    add(name, SliceAttrs{begin, 1 + below(channels - begin)}, {id});
  }
  void grow_pool(const std::string& name, ValueId id) {
    const int k = 1 + 2 * below(3), stride = 1 + below(2), pad = k / 2;
    const auto kind = exact_ || below(3) ? PoolAttrs::Kind::max : PoolAttrs::Kind::average;
    add(name, PoolAttrs{kind, k, k, stride, stride, {pad, pad, pad, pad}}, {id});
  }
  void grow_conv(const std::string& name, ValueId id) {
    const int ic = static_cast<int>(shape(id).c), k = below(2) ? 3 : 1;
    const bool depthwise = below(4) == 0;
    ConvAttrs conv{.oc = depthwise ? ic : 1 + below(24), .kh = k, .kw = k, .groups = depthwise ? ic : 1};
    conv.sh = conv.sw = 1 + (below(4) == 0);
    conv.pad = {k / 2, k / 2, k / 2, k / 2};
    conv.weights = constant(exact_ ? sparse(conv.oc, ic / conv.groups * k * k)
                                   : integers(std::int64_t{conv.oc} * (ic / conv.groups) * k * k, -1, 1));
    if (!exact_ && below(2)) conv.bias = constant(integers(conv.oc, -3, 3));
    add(name, std::move(conv), {id});
  }
  void grow_norm(const std::string& name, ValueId id) {
    const std::int64_t c = shape(id).c;
    add(name,
        BatchNormAttrs{constant(integers(c, 1, 2)), constant(integers(c, -1, 1)), constant(integers(c, -2, 2)),
                       constant(integers(c, 1, 4)), 1e-6f},
        {id});
  }

  // The same numbers elsewhere: other pixels, columns for rows, channels backwards, rows of two values, a border.
  void grow_moved(const std::string& name, ValueId id) {
    const auto [n, h, w, c] = shape(id);
    const std::int64_t image = h * w * c;
    switch (below(7)) {
      case 0:
        return add(name, ReshapeAttrs{{n, w, h, c}}, {id});
      case 1:
        return c % 2 == 0 ? add(name, ReshapeAttrs{{n, h, 2 * w, c / 2}}, {id}) : grow_slice(name, id);
      case 2:
        return w % 2 == 0 && c <= 40 ? add(name, ReshapeAttrs{{n, h, w / 2, 2 * c}}, {id}) : grow_slice(name, id);
      case 3:
        return add(name, RearrangeAttrs{{n, w, h, c}, {image, c, w * c, 1}, 0, {n, w, h, c}}, {id});
      case 4:
        return add(name, RearrangeAttrs{{n * h * w, c}, {c, -1}, c - 1, {n, h, w, c}}, {id});
      case 5:
        if (h * w > 36) return grow_slice(name, id);
        return add(name, ConcatDimsAttrs{n, {image, image}, {n, 2 * h, w, c}}, {id, id});
      default:
        if (h * w > 36) return grow_slice(name, id);
        return add(name, PadAttrs{below(2) ? PadMode::edge : PadMode::constant, {0, 1, 0, 0}, {0, 0, 1, 0}, 2}, {id});
    }
  }
  // A constant; a value with one, or with another value; its channels' greatest; one value or another.
  void grow_computed(const std::string& name, ValueId id) {
    const auto [n, h, w, c] = shape(id);
    const Dims pixels{n * h * w, c};
    switch (below(5)) {
      case 0:
        return add(name, ConstantAttrs{constant(integers(n * h * w * c, -1, 1)), {n, h, w, c}}, {});
      case 1: {
        const BinaryKind kind = below(2) ? BinaryKind::sub : BinaryKind::max;
        return add(name, BinaryAttrs{kind, activation(), pixels, {c, 1}, {c, 1}, {n, h, w, c}}, {id, like(id, true)});
      }
      case 2:
        return add(name, UnaryAttrs{below(2) ? UnaryKind::neg : UnaryKind::abs}, {id});
      case 3:
        return add(name, ReduceAttrs{ReduceKind::max, false, {n * h * w}, {c}, {c}, {1}, {n, h, w, 1}}, {id});
      default:
        return add(name, SelectAttrs{pixels, {c, 0}, {c, 1}, {c, 1}, {n, h, w, c}}, {id, id, like(id, true)});
    }
  }

  bool exact_, bytes_;
  Graph graph_;
  std::mt19937 random_;
};

}  // namespace tessera::testing
