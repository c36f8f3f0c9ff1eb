#pragma once
// `tessera bench --chooser`: every kernel that can take a convolution, timed on shapes of YOLO networks, beside the one
// that the model chooses. Its JSON is kept in testdata/chooser, one file per processor and instruction set, and a test
// holds the model against every file.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "device/device.h"

namespace tessera::cli {

/// A square image, "same" padding.
struct ChooserShape {
  std::int64_t in, ic, oc;
  int kernel, stride, groups = 1;
};
std::span<const ChooserShape> chooser_shapes();
std::string describe(const ChooserShape& shape);  ///< "3x3 s1 13x13x512->1024"
/// One convolution between an input and an output, SiLU behind it.
Graph chooser_graph(const ChooserShape& shape);

/// Those made for `isa` that can take the node, in the device's order.
std::vector<const NodeImplInfo*> contenders(const ImplContext& context, Isa isa);
/// Which of them the model takes: the first that expects no other to be faster.
const NodeImplInfo* model_choice(std::span<const NodeImplInfo* const> contenders, const ImplContext& context);

struct ShapeTimes {
  ChooserShape shape;
  std::vector<const NodeImplInfo*> impls;
  std::vector<double> ms;  ///< the fastest run of each
  const NodeImplInfo* chosen;
};
struct ChooserTable {
  CpuInfo cpu;  ///< as --isa limits it
  Isa isa;      ///< of the kernels
  int threads;
  std::vector<ShapeTimes> shapes;
};
/// Each the fastest of `runs`, from caches that other layers have used. Errors: cancelled, limit_exceeded.
Result<ChooserTable> time_contenders(const PrepareOptions& options, int runs);

std::string chooser_text(const ChooserTable& table);
nlohmann::ordered_json chooser_json(const ChooserTable& table);

}  // namespace tessera::cli
