#pragma once
// The joint between a device's kernels and the executor: one node, made ready to run.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/cpu_features.h"
#include "graph/graph.h"

namespace tessera {

/// A f32 NHWC tensor in memory, or where `bytes` is set one of u8, with strides in bytes. Channels of one pixel are
/// adjacent; pixels are pixel_stride floats apart, rows follow one another (w * pixel_stride), images too. A channel
/// slice of a wider buffer is such a tensor: concat and split copy nothing. data is 64-byte aligned only when the slice
/// starts at a multiple of 16 channels.
struct TensorRef {
  float* data = nullptr;
  std::int64_t n = 0, h = 0, w = 0, c = 0;
  std::int64_t pixel_stride = 0;  ///< >= c
  std::uint8_t* bytes = nullptr;  ///< in the place of data: only inputs of u8 have them, only from_bytes reads them
};

struct NodeArgs {
  std::span<const TensorRef> inputs;
  TensorRef output;
  std::byte* scratch = nullptr;  ///< scratch_bytes() of this worker's own, 64-byte aligned, contents unspecified
};

/// A node with packed weights and everything decided: immutable, shared by all contexts and threads.
class NodeImpl {
 public:
  virtual ~NodeImpl() = default;
  /// Independent pieces. Any order, any worker; the result's bits do not depend on the split.
  virtual std::size_t tasks() const noexcept = 0;
  virtual std::size_t scratch_bytes() const noexcept { return 0; }
  /// Weights and biases it holds, as packed; 0 for operators without.
  virtual std::size_t constant_bytes() const noexcept { return 0; }
  virtual void run(std::size_t task, const NodeArgs& args) const noexcept = 0;
  /// Whether it can be asked for any rows of its output, in any bands, with the bits of `run`.
  virtual bool by_rows() const noexcept { return false; }
  /// Rows [from, to) of the output of one image. Tensors have n = 1 and begin where row 0 would be; only rows that the
  /// operator reads or writes for these are there.
  virtual void run_rows([[maybe_unused]] std::int64_t from, [[maybe_unused]] std::int64_t to,
                        [[maybe_unused]] const NodeArgs& args) const noexcept {}
};

class PackedSource;  // kernels/packed.h

/// Facts an implementation may depend on besides the node itself.
struct ImplContext {
  const Graph* graph;
  const Node* node;
  CpuInfo cpu;
  int threads = 1;                 ///< hint for how many tasks are useful; results must not depend on it
  PackedSource* source = nullptr;  ///< of packed weights; `make` alone sees it
};

/// One entry of an operator's ordered list (best first, reference last).
struct NodeImplInfo {
  const char* name;  ///< "conv_1x1_avx512"
  Isa isa;
  /// Why this implementation cannot take the node ("only 1x1"), or nullopt. The ISA is checked by the device.
  std::optional<std::string> (*rejects)(const ImplContext&);
  std::unique_ptr<NodeImpl> (*make)(const ImplContext&);
  /// Why another one is expected to be faster ("would take 130 % of the direct sum's time"), or nullopt. Asked only
  /// where `rejects` has nothing, and not of what was forced or is measured. Null: nothing to say.
  std::optional<std::string> (*slower)(const ImplContext&) = nullptr;
  /// Outputs are sums of the products that the operator is defined by, in some order. Winograd's are not.
  bool exact = true;
};

}  // namespace tessera
