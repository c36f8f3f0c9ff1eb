#pragma once
// From the sections of a cfg to a graph without constants: what the layers are, and in which order their numbers stand
// in the weights file. Allocates in proportion to the cfg only, so that a hostile cfg cannot ask for much.

#include <tessera/result.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/darknet/cfg.h"
#include "model/darknet/keys.h"
#include "model/darknet/section_reader.h"
#include "model/load.h"
#include "model/model.h"

namespace tessera::darknet {

/// What one section gives to later ones.
struct Layer {
  ValueId value = kNone;
  std::int64_t h = 0, w = 0, c = 0;
  bool head = false;  ///< a [yolo]: its output is boxes, not a tensor that layers may read
};

/// Numbers of one layer in the weights file, in file order: beta or bias [oc], then with batch norm gamma, mean and
/// variance [oc] each, then the weights.
struct ParameterSlot {
  const CfgSection* section = nullptr;
  NodeId conv = kNone;        ///< kNone for a [batchnorm] layer
  NodeId batch_norm = kNone;  ///< kNone without
  std::int64_t oc = 0, weights = 0;
  std::int64_t floats() const noexcept { return oc * (batch_norm == kNone ? 1 : 4) + weights; }
};

struct Blueprint {
  Graph graph;  ///< constants null, shapes not inferred
  Preprocess preprocess;
  std::optional<DetectorSpec> detector;
  std::vector<Layer> layers;  ///< by Darknet's layer number
  std::vector<ParameterSlot> slots;
};

/// What a layer's build function works with.
class LayerContext {
 public:
  LayerContext(SectionReader& reader, Blueprint& blueprint) : keys(reader), out(blueprint) {}

  SectionReader& keys;
  Blueprint& out;

  int index() const noexcept { return keys.section().index; }
  /// "conv_12", or "conv_12.leaky" with a part.
  std::string name(std::string_view op, std::string_view part = {}) const;

  /// The layer before; an error when it is a head (nothing reads boxes) .
  Result<Layer> previous() const;
  /// The layer a key points to: negative counts back from this one, others are layer numbers.
  Result<Layer> layer(std::string_view key, int reference) const;
  /// The activation named by the key 'activation'.
  Result<ActivationSpec> activation(std::string_view fallback) const;

  /// Appends an activation node unless it is linear; returns the value to go on with.
  ValueId activate(ValueId value, ActivationSpec act, std::string_view op);
  /// Ends the layer: checks its size and makes it known to later ones.
  Status finish(const Layer& layer);

 private:
  Result<Layer> checked(const Layer& layer, int number, std::string_view key) const;
};

/// One kind of section.
struct LayerKind {
  const char* name;
  std::span<const Key> keys;
  Status (*build)(LayerContext&);
};
std::span<const LayerKind* const> layer_kinds();  ///< sorted by name; layers/layers.cc

/// The whole network. `size` replaces [net]'s height and width.
Result<Blueprint> build(const Cfg& cfg, const std::optional<InputSize>& size);

/// Darknet's word to our activation (swish is silu); nullopt for words without one.
std::optional<ActivationSpec> parse_activation(std::string_view word);

/// (in + before + after - kernel) / stride + 1, or 0 when the kernel does not fit.
constexpr std::int64_t out_extent(std::int64_t padded, std::int64_t kernel, std::int64_t stride) noexcept {
  return padded < kernel ? 0 : (padded - kernel) / stride + 1;
}

// Limits of single keys; products are checked by LayerContext::finish.
inline constexpr Range kChannelRange{1, 1 << 16}, kKernelRange{1, 1024}, kStrideRange{1, 1024}, kPaddingRange{0, 1024};

}  // namespace tessera::darknet
