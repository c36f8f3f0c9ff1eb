#pragma once
// Where two runs of one model part: layer by layer, by the names of the values, which survive the passes. For
// `tessera compare`, and for checking against other programs' .npy dumps.

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "tensor/axis_order.h"

namespace tessera {

/// A layer agrees when its worst difference is at most absolute + relative * (largest magnitude in the second run).
struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-6;
};

struct LayerDifference {
  std::string value;                    ///< name of the compared value
  std::string impl_a, impl_b;           ///< what computed it; empty for views and dumps
  double worst_absolute = 0;            ///< infinite when only one side has a NaN or the sides differ in an infinity
  double worst_relative = 0;            ///< the same over the layer's largest magnitude in the second run
  std::array<std::int64_t, 4> at = {};  ///< (n, h, w, c) of the worst
  float a = 0, b = 0;                   ///< the two numbers there
  bool within = true;
};

struct Comparison {
  std::vector<LayerDifference> layers;       ///< in the first run's order
  std::vector<std::string> only_a, only_b;   ///< values without a counterpart, by passes for instance
  std::optional<std::size_t> first_outside;  ///< index into layers
};

/// One vector per graph input: NHWC without gaps; for one of u8 whole numbers from 0 to 255.
using InputData = std::span<const std::vector<float>>;

/// A number that a byte can hold.
bool is_byte(float number) noexcept;
/// Errors: invalid_argument when they are not the graph's inputs in number or size, or no bytes where it takes bytes.
Status write_inputs(const Graph& graph, InputData inputs, ExecutionContext& context);

/// Runs both on the same inputs. Keeps one copy of every value of the second run. Errors: invalid_argument when inputs
/// do not fit both, or no value has the same name in both.
Result<Comparison> compare_executables(const std::shared_ptr<const Executable>& a,
                                       const std::shared_ptr<const Executable>& b, InputData inputs, ThreadPool& pool,
                                       const Tolerance& tolerance);

/// Arrays of another program, one file per value.
struct Dumps {
  std::filesystem::path folder;
  FileLayout layout = FileLayout::nchw;  ///< of values that `orders` does not know
  const AxisOrders* orders;              ///< never null
};
/// "conv_1/mish" -> "conv_1_mish.npy": letters, digits, '.', '_' and '-' stay.
std::string dump_file_name(std::string_view value);
/// Runs `a` against the dumps; extents of 1 in front may be missing. Errors: not_found when no
/// dump has the name of a value, invalid_argument for other shapes, and whatever is wrong with a file.
Result<Comparison> compare_with_dumps(const std::shared_ptr<const Executable>& a, InputData inputs, const Dumps& dumps,
                                      ThreadPool& pool, const Tolerance& tolerance);
/// Writes every value of a run, NHWC; the folder must exist.
Status write_dumps(const std::shared_ptr<const Executable>& a, InputData inputs, const std::filesystem::path& folder,
                   ThreadPool& pool);

}  // namespace tessera
