#pragma once
// Raw heads as levels of a detector, and what their channels may mean.

#include <tessera/result.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/families.h"
#include "model/onnx/detect/cut.h"

namespace tessera::onnx {

/// Extents of a value of the network; nullopt when they are not known.
using ShapeOf = std::function<std::optional<Dims>(int value)>;

struct RawHead {
  int value = kAbsent;
  std::int64_t channels = 0, height = 0, width = 0;
  std::int64_t size() const { return channels * height * width; }
};

/// Heads of one size. `heads` are indices into Levels::heads, in execution order.
struct Level {
  std::int64_t height = 0, width = 0, stride = 0;
  std::vector<std::size_t> heads;
  std::int64_t cells() const { return height * width; }
};

struct Levels {
  std::int64_t input_width = 0, input_height = 0;
  std::vector<RawHead> heads;
  std::vector<Level> levels;  ///< strides ascending
};

/// Errors  unsupported: extents that are not known, a batch other than 1, a stride that is not whole or not the same
///         on both axes.
Result<Levels> levels_of(const IrGraph& graph, const Cut& cut, const ShapeOf& shape_of);

/// "strides 8, 16, 32 with 64 + 80 channels".
std::string shown(const Levels& levels);

enum class BoxFormula : std::uint8_t {
  yolox,   ///< offset to the cell and logarithms of the size
  ltrb,    ///< distances to the sides from the middle of the cell
  dfl,     ///< the same as distributions
  square,  ///< YOLOv5: anchors, (2 sigmoid)^2
  exp,     ///< YOLOv3: anchors, exp
};

/// Channels [begin, begin + count) of a head.
struct Part {
  std::size_t head = 0;
  std::int64_t begin = 0, count = 0;
};

/// What the channels of every level would mean.
struct Hypothesis {
  BoxFormula formula = BoxFormula::ltrb;
  HeadForm form = HeadForm::pair;
  std::string_view family;  ///< without an end-to-end tail
  int classes = 0, slots = 1, bins = 0;
  struct Roles {
    Part box, objectness, scores;  ///< combined: box is everything
  };
  std::vector<Roles> levels;
};

/// All that the channels allow, likely ones first. Empty: the levels are of no known family.
std::vector<Hypothesis> hypotheses(const Levels& levels);

}  // namespace tessera::onnx
