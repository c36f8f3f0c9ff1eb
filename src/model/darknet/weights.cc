#include "model/darknet/weights.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/text.h"
#include "model/stored_numbers.h"

namespace tessera::darknet {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

constexpr std::size_t kVersionBytes = 12;

/// Bytes before the numbers.
Result<std::size_t> header_bytes(const Cfg& cfg, std::span<const std::byte> file) {
  if (file.size() < kVersionBytes + 4) {
    return Error{Code::corrupt,
                 text("weights for ", cfg.name, ": ", file.size(), " bytes, too few for the header of 16 or 20")};
  }
  const auto major = load<std::int32_t>(file, 0), minor = load<std::int32_t>(file, 4);
  if (major < 0 || minor < 0) {
    return Error{Code::corrupt,
                 text("weights for ", cfg.name, ": version ", major, ".", minor, "; not a Darknet weights file")};
  }
  if (major > 1000 || minor > 1000) {
    return Error{Code::unsupported, text("weights for ", cfg.name, ": version ", major, ".", minor,
                                         " stores matrices transposed; save them with version 0.2 first")};
  }
  return kVersionBytes + (std::int64_t{major} * 10 + minor >= 2 ? 8u : 4u);
}

/// Floats of all slots; limit_exceeded beyond kMaxWeightBytes.
Result<std::int64_t> count_floats(const Cfg& cfg, const std::vector<ParameterSlot>& slots) {
  std::int64_t total = 0;
  for (const ParameterSlot& slot : slots) {
    const auto sum = checked_add(total, slot.floats());
    if (!sum || *sum > kMaxWeightBytes / 4) {
      return Error{Code::limit_exceeded, text(where(cfg, *slot.section, slot.section->line),
                                              ": the network wants more than ", kMaxWeightBytes, " bytes of weights")};
    }
    total = *sum;
  }
  return total;
}

Error wrong_length(const Cfg& cfg, const Blueprint& blueprint, std::int64_t want, std::int64_t found,
                   std::int64_t header) {
  if (found > want) {
    return {Code::corrupt, text("weights for ", cfg.name, ": ", want, " bytes expected, ", found, " found, ",
                                found - want, " too many; they belong to another cfg")};
  }
  std::int64_t end = header;
  const ParameterSlot* last = nullptr;
  for (const ParameterSlot& slot : blueprint.slots) {
    last = &slot;
    end += slot.floats() * 4;
    if (end > found) break;
  }
  return {Code::corrupt,
          text("weights for ", cfg.name, ": ", want, " bytes expected, ", found, " found; they end inside ",
               where(cfg, *last->section, last->section->line), " (truncated, or of another cfg)")};
}

class Filler {
 public:
  Filler(const Cfg& cfg, std::span<const std::byte> numbers, const FileBytes* file, const LogSink& log)
      : cfg_(cfg), numbers_(numbers), file_(file), log_(log) {}

  Status fill(const ParameterSlot& slot, Graph& graph) {
    slot_ = &slot;
    auto beta = take("bias", slot.oc);
    if (!beta) return beta.error();
    if (slot.batch_norm != kNone) {
      TESSERA_TRY(fill_batch_norm(std::move(*beta), graph));
    } else {
      conv_of(graph).bias = std::move(*beta);
    }
    if (slot.conv == kNone) return {};
    auto weights = take("weight", slot.weights);
    if (!weights) return weights.error();
    conv_of(graph).weights = std::move(*weights);
    return {};
  }

 private:
  ConvAttrs& conv_of(Graph& graph) const {
    return std::get<ConvAttrs>(graph.nodes[static_cast<std::size_t>(slot_->conv)].attrs);
  }

  Status fill_batch_norm(Constant beta, Graph& graph) {
    auto gamma = take("scale", slot_->oc);
    if (!gamma) return gamma.error();
    auto mean = take("mean", slot_->oc);
    if (!mean) return mean.error();
    auto variance = take("variance", slot_->oc);
    if (!variance) return variance.error();
    // Dead channels of published weights have variances down to -1e-43; they only must not reach the square root.
    const auto low = std::ranges::min_element(**variance);
    if (*low < -0.5f * kBatchNormEpsilon)
      return fail(text("variance ", low - (*variance)->begin(), " is ", *low, ", below 0"));
    warn_of_dead_channels(**variance);
    auto& node = graph.nodes[static_cast<std::size_t>(slot_->batch_norm)];
    node.attrs =
        BatchNormAttrs{std::move(*gamma), std::move(beta), std::move(*mean), std::move(*variance), kBatchNormEpsilon};
    return {};
  }

  void warn_of_dead_channels(const Numbers& variance) const {
    const auto dead = std::ranges::count_if(variance, [](float v) { return v <= 0.0f; });
    if (dead == 0 || !log_) return;
    log_(LogLevel::warning, text(where(cfg_, *slot_->section, slot_->section->line), ": ", dead,
                                 " channels have a variance of 0 or below; taken as epsilon ", kBatchNormEpsilon));
  }

  /// The next `count` numbers; the total length was checked before.
  Result<Constant> take(std::string_view what, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
    Constant values = stored_numbers(numbers_.first(bytes), file_);
    numbers_ = numbers_.subspan(bytes);
    if (const auto bad = first_not_finite(*values)) {
      return fail(text(what, " ", *bad, " is ", (*values)[*bad], ", want a finite number"));
    }
    return values;
  }

  Error fail(std::string_view fact) const {
    return {Code::corrupt, text("weights for ", where(cfg_, *slot_->section, slot_->section->line), ": ", fact)};
  }

  const Cfg& cfg_;
  std::span<const std::byte> numbers_;
  const FileBytes* file_;
  const LogSink& log_;
  const ParameterSlot* slot_ = nullptr;
};

}  // namespace

Status fill_weights(const Cfg& cfg, std::span<const std::byte> file, const FileBytes* mapped, const LogSink& log,
                    Blueprint& blueprint) {
  const auto floats = count_floats(cfg, blueprint.slots);
  if (!floats) return floats.error();
  const auto header = header_bytes(cfg, file);
  if (!header) return header.error();
  const auto want = static_cast<std::int64_t>(*header) + *floats * 4, found = static_cast<std::int64_t>(file.size());
  if (want != found) return wrong_length(cfg, blueprint, want, found, static_cast<std::int64_t>(*header));
  Filler filler(cfg, file.subspan(*header), mapped, log);
  for (const ParameterSlot& slot : blueprint.slots) TESSERA_TRY(filler.fill(slot, blueprint.graph));
  return {};
}

}  // namespace tessera::darknet
