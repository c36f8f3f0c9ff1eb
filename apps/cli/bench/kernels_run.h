#pragma once
// Times the forms of a kernel turn by turn, and holds their results against the last form's.

#include <tessera/result.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/kernels.h"
#include "bench/outputs.h"

namespace tessera::cli {

struct FormTimes {
  std::string name;
  std::vector<std::string> kernels;  ///< what ran, in order; nothing for what was in its place already
  std::vector<double> times_ms;
  Difference difference;
  bool agrees = true;  ///< within the case's tolerance
};
struct KernelTimes {
  std::string name, shape;
  double tolerance = 0;
  std::vector<FormTimes> forms;
};

/// `runs` rounds; in each every form runs once on the same noise in [-8, 8), after `warmup` such rounds untimed.
/// Errors: of preparing, and cancelled when interrupted.
Result<KernelTimes> run_kernel_case(const KernelCase& kernel, int warmup, int runs);

bool all_agree(const std::vector<KernelTimes>& kernels);
std::string kernels_text(const std::vector<KernelTimes>& kernels);
/// Adds "kernels".
void add_kernels(nlohmann::ordered_json& out, const std::vector<KernelTimes>& kernels);

}  // namespace tessera::cli
