#pragma once
// A model as plain data to print: what `tessera inspect` shows, as a table or as JSON.

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"

namespace tessera {

struct LayerFacts {
  std::string name;                 ///< "conv_12"
  std::string op;                   ///< "conv"
  std::string detail;               ///< "3x3 /2 g8 leaky", in the field's shorthand; empty when there is nothing to say
  std::vector<std::string> inputs;  ///< names of the nodes it reads
  Shape shape;                      ///< NHWC of its output
  std::int64_t parameters = 0;      ///< numbers used at inference (batch norm counts 4 per channel until folded)
  std::int64_t macs = 0;            ///< multiply-accumulates
};

struct ModelFacts {
  std::string name, format;
  Preprocess preprocess;
  std::optional<DetectorSpec> detector;
  std::vector<std::string> class_names;
  std::vector<LayerFacts> layers;  ///< in execution order
  std::vector<std::string> outputs;
  std::int64_t parameters = 0, macs = 0;  ///< sums
};

ModelFacts describe(const Model& model);

/// The preprocessing contract in one line: "416x416x3 (height x width x channels), stretch, rgb, pixel * 0.0039".
std::string describe(const Preprocess& preprocess);

/// The whole as text: facts, then one line per layer in columns.
std::string to_text(const ModelFacts& facts);

}  // namespace tessera
