// Proves a plan by running it on symbols: every channel of every buffer holds the name of the number that was last
// written there, every node finds what it reads. Shares no code with the planner and does not look at its lifetimes.
//
// A reshape in place sees other pixels, so channels say nothing about it: its numbers are intact as long as all of its
// base, the value of the buffer's own pixels that it goes back to, is.

#include <algorithm>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "plan/memory_plan.h"
#include "plan/verify_chains.h"

namespace tessera {
namespace {

constexpr std::int64_t kAlignment = 64;

// The number at one channel of all pixels of a value: "channel 3 of value 7". Concats, slices and identities pass such
// numbers on; other operators make new ones.
struct Symbol {
  ValueId value = kNone;
  std::int32_t channel = 0;
  bool operator==(const Symbol&) const = default;
};

Error refuse(std::string message) { return {Code::invalid_argument, text("memory plan: ", message)}; }

class Verifier {
 public:
  Verifier(const Graph& graph, const MemoryPlan& plan) : graph_(graph), plan_(plan) {}

  Status run() {
    TESSERA_TRY(check_buffers());
    TESSERA_TRY(check_placements());
    TESSERA_TRY(verify_chains(graph_, plan_));
    for (ValueId id : graph_.inputs) TESSERA_TRY(write(id, 0, channels(id), nullptr));
    std::vector<const Chain*> ending(graph_.nodes.size());
    for (const Chain& chain : plan_.chains) ending[static_cast<std::size_t>(chain.nodes.back())] = &chain;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      TESSERA_TRY(step(graph_.nodes[i]));
      if (ending[i]) TESSERA_TRY(end_chain(*ending[i]));
    }
    for (ValueId id : graph_.outputs) TESSERA_TRY(expect(id, "the caller"));
    return {};
  }

 private:
  const Placement& placement(ValueId id) const { return plan_.placements[static_cast<std::size_t>(id)]; }
  std::int64_t channels(ValueId id) const { return extents(graph_.value(id).spec).c; }
  const std::string& name(ValueId id) const { return graph_.value(id).name; }

  Status check_buffers() {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const Buffer& b = plan_.buffers[i];
      const auto end = checked_add(b.offset, b.bytes);
      if (b.offset < 0 || b.bytes < 0 || !end || *end > plan_.arena_bytes + plan_.aside_bytes) {
        return refuse(text("buffer ", i, " at ", b.offset, " + ", b.bytes, " leaves the arena of ", plan_.arena_bytes,
                           " + ", plan_.aside_bytes));
      }
      const bool behind = b.offset >= plan_.arena_bytes;
      if (!behind && *end > plan_.arena_bytes) {
        return refuse(text("buffer ", i, " lies partly behind the arena"));
      }
      if (b.offset % kAlignment != 0) {
        return refuse(text("buffer ", i, " begins at ", b.offset, ", want a multiple of ", kAlignment));
      }
    }
    held_.resize(plan_.buffers.size());
    pixels_.assign(plan_.buffers.size(), 0);
    types_.assign(plan_.buffers.size(), DType::Float32);
    return {};
  }

  Status check_placements() {
    if (plan_.placements.size() != graph_.values.size()) {
      return refuse(text(plan_.placements.size(), " placements for ", graph_.values.size(), " values"));
    }
    symbols_.resize(graph_.values.size());
    bases_.assign(graph_.values.size(), kNone);
    for (const Node& node : graph_.nodes) {
      bases_[static_cast<std::size_t>(node.output)] = base_of(node);
      TESSERA_TRY(base(node.output) == node.output ? check_placement(node.output) : check_view(node));
      symbols_[static_cast<std::size_t>(node.output)] = symbols_of(node);
    }
    return {};
  }

  ValueId base(ValueId id) const { return bases_[static_cast<std::size_t>(id)]; }

  // The output itself; what it goes back to when it sees other pixels of the same numbers; kNone for constants.
  ValueId base_of(const Node& node) const {
    if (std::holds_alternative<ConstantAttrs>(node.attrs)) return kNone;
    if (!placement(node.output).alias) return node.output;
    if (std::holds_alternative<ReshapeAttrs>(node.attrs)) return base(node.inputs[0]);
    const bool looks =
        std::holds_alternative<SliceAttrs>(node.attrs) || std::holds_alternative<IdentityAttrs>(node.attrs);
    return looks && base(node.inputs[0]) != node.inputs[0] ? base(node.inputs[0]) : node.output;
  }

  // Of constants, reshapes in place and what looks at these: exactly where the operator's numbers are.
  Status check_view(const Node& node) const {
    const Placement& out = placement(node.output);
    if (std::holds_alternative<ConstantAttrs>(node.attrs)) {
      const Placement want{kNone, node.output, 0, channels(node.output), true};
      return out == want ? Status() : refuse(text("'", name(node.output), "' is not placed as a constant"));
    }
    Placement want = placement(node.inputs[0]);
    want.alias = true;
    if (const auto* slice = std::get_if<SliceAttrs>(&node.attrs)) want.channel += slice->begin;
    if (std::holds_alternative<ReshapeAttrs>(node.attrs)) {
      if (want.channel != 0 || want.pixel_stride != channels(node.inputs[0])) {
        return refuse(text("'", name(node.output), "' sees '", name(node.inputs[0]), "', which has gaps, as one run"));
      }
      want.pixel_stride = channels(node.output);
    }
    if (out == want) return {};
    return refuse(text("'", name(node.output), "' is not where its numbers in '", name(node.inputs[0]), "' are"));
  }

  // Inside its buffer, whose values all have the same pixels.
  Status check_placement(ValueId id) {
    const Placement& p = placement(id);
    if (p.constant != kNone) return refuse(text("'", name(id), "' would be written over a constant"));
    if (p.buffer < 0 || static_cast<std::size_t>(p.buffer) >= plan_.buffers.size()) {
      return refuse(text("'", name(id), "' lies in buffer ", p.buffer, ", there is none"));
    }
    const auto buffer = static_cast<std::size_t>(p.buffer);
    const Extents e = extents(graph_.value(id).spec);
    const auto pixels = checked_mul(e.n, e.h, e.w);
    const auto bytes =
        pixels ? checked_mul(*pixels, p.pixel_stride, element_size(graph_.value(id).spec.dtype)) : std::nullopt;
    if (p.channel < 0 || p.channel > p.pixel_stride || e.c > p.pixel_stride - p.channel || !bytes ||
        *bytes > plan_.buffers[buffer].bytes) {
      return refuse(text("'", name(id), "' (", to_string(graph_.value(id).spec.shape), ") at channel ", p.channel,
                         " of pixels ", p.pixel_stride, " wide leaves its buffer of ", plan_.buffers[buffer].bytes,
                         " bytes"));
    }
    if (held_[buffer].empty()) {
      held_[buffer].resize(static_cast<std::size_t>(p.pixel_stride));
      pixels_[buffer] = *pixels;
      types_[buffer] = graph_.value(id).spec.dtype;
    }
    if (held_[buffer].size() != static_cast<std::size_t>(p.pixel_stride) || pixels_[buffer] != *pixels) {
      return refuse(text("'", name(id), "' sees other pixels than the other values of buffer ", buffer));
    }
    if (types_[buffer] != graph_.value(id).spec.dtype) {
      return refuse(text("'", name(id), "' is of another type than the other values of buffer ", buffer));
    }
    return {};
  }

  std::vector<Symbol> symbols_of(const Node& node) const {
    std::vector<Symbol> out;
    const auto of_input = [this, &node](std::size_t i) -> const std::vector<Symbol>& {
      return symbols_[static_cast<std::size_t>(node.inputs[i])];
    };
    if (std::holds_alternative<ConcatAttrs>(node.attrs)) {
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        out.insert(out.end(), of_input(i).begin(), of_input(i).end());
      }
    } else if (const auto* slice = std::get_if<SliceAttrs>(&node.attrs)) {
      out.assign(of_input(0).begin() + slice->begin, of_input(0).begin() + slice->begin + slice->count);
    } else if (std::holds_alternative<IdentityAttrs>(node.attrs)) {
      out = of_input(0);
    } else {
      for (std::int64_t c = 0; c < channels(node.output); ++c) {
        out.push_back({node.output, static_cast<std::int32_t>(c)});
      }
    }
    return out;
  }

  // The value's channels hold what they should at this moment.
  Status expect(ValueId id, std::string_view reader) const {
    const ValueId seen = base(id);
    if (seen == kNone) return {};  // nobody writes over a constant
    const Placement& p = placement(seen);
    const auto& held = held_[static_cast<std::size_t>(p.buffer)];
    const auto& want = symbols_[static_cast<std::size_t>(seen)];
    for (std::size_t c = 0; c < want.size(); ++c) {
      const Symbol& there = held[static_cast<std::size_t>(p.channel) + c];
      if (there == want[c]) continue;
      return refuse(
          text(reader, " reads '", name(id), "', but ",
               seen == id ? text("its channel ", c) : text("channel ", c, " of '", name(seen), "'"),
               there.value == kNone ? " was overwritten or never written" : text(" holds '", name(there.value), "'")));
    }
    return {};
  }

  Status step(const Node& node) {
    if (std::holds_alternative<InputAttrs>(node.attrs)) return {};
    const std::string reader = text("node '", node.name, "'");
    for (ValueId id : node.inputs) TESSERA_TRY(expect(id, reader));
    if (placement(node.output).alias) return expect(node.output, text("node '", node.name, "' does nothing and so"));
    if (!std::holds_alternative<ConcatAttrs>(node.attrs)) return write(node.output, 0, channels(node.output), &node);
    return copy_parts(node);
  }

  // A chain's nodes take turns: what they read from outside must have outlived all that they write.
  Status end_chain(const Chain& chain) const {
    for (std::size_t i = 0; i < chain.nodes.size(); ++i) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(chain.nodes[i])];
      for (ValueId id : std::span(node.inputs).subspan(i == 0 ? 0 : 1)) {
        TESSERA_TRY(expect(id, text("a later row of node '", node.name, "'")));
      }
    }
    return {};
  }

  // A concat writes only the inputs that do not stand in its output already.
  Status copy_parts(const Node& concat) {
    const Placement& out = placement(concat.output);
    std::int64_t channel = 0;
    for (ValueId id : concat.inputs) {
      const Placement& in = placement(id);
      const bool in_place = base(id) == id && in.buffer == out.buffer && in.channel == out.channel + channel;
      if (!in_place) TESSERA_TRY(write(concat.output, channel, channels(id), &concat));
      channel += channels(id);
    }
    return {};
  }

  // Writes channels [first, first + count) of a value. No input of the writer may lie there: it is read meanwhile.
  Status write(ValueId id, std::int64_t first, std::int64_t count, const Node* writer) {
    const Placement& p = placement(id);
    for (ValueId input : writer ? std::span<const ValueId>(writer->inputs) : std::span<const ValueId>()) {
      if (touches(input, p, first, count))
        return refuse(text("node '", writer->name, "' overwrites its own input '", name(input), "'"));
    }
    for (std::size_t b = 0; b < held_.size(); ++b) {
      if (static_cast<std::int32_t>(b) != p.buffer && overlap(static_cast<std::int32_t>(b), p.buffer)) {
        std::ranges::fill(held_[b], Symbol{});
      }
    }
    const auto from = symbols_[static_cast<std::size_t>(id)].begin() + first;
    std::copy(from, from + count, held_[static_cast<std::size_t>(p.buffer)].begin() + p.channel + first);
    return {};
  }

  // Does the value lie in channels [first, first + count) of p, or in a buffer over it?
  bool touches(ValueId id, const Placement& p, std::int64_t first, std::int64_t count) const {
    const Placement& in = placement(id);
    if (in.buffer == kNone) return false;
    if (in.buffer != p.buffer) return overlap(in.buffer, p.buffer);
    const bool apart = in.channel >= p.channel + first + count || p.channel + first >= in.channel + channels(id);
    return base(id) != id || !apart;
  }

  bool overlap(std::int32_t a, std::int32_t b) const {
    const Buffer& x = plan_.buffers[static_cast<std::size_t>(a)];
    const Buffer& y = plan_.buffers[static_cast<std::size_t>(b)];
    return x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes;
  }

  const Graph& graph_;
  const MemoryPlan& plan_;
  std::vector<ValueId> bases_;                // per value
  std::vector<std::vector<Symbol>> symbols_;  // per value: what its channels mean
  std::vector<std::vector<Symbol>> held_;     // per buffer: what its channels hold now
  std::vector<std::int64_t> pixels_;          // per buffer
  std::vector<DType> types_;                  // per buffer
};

}  // namespace

Status verify_memory(const Graph& graph, const MemoryPlan& plan) { return Verifier(graph, plan).run(); }

}  // namespace tessera
