#pragma once
// From a node to its implementation: the first of the device's list that takes it, with the reasons against the better
// ones; what the caller disabled or forced comes first.

#include <set>
#include <string>
#include <vector>

#include "device/device.h"

namespace tessera {

/// PrepareOptions::disabled, sorted by what the names mean.
struct Disabled {
  std::vector<std::string> passes;
  MemoryOptions memory;
  std::set<std::string> impls;
};
/// invalid_argument for a name that is none of passes, "reuse", "zero-copy", "chains" and the device's implementations;
/// lists them.
Result<Disabled> sort_disabled(const DeviceInfo& device, std::span<const std::string> names);

/// What a choice depends on. `forced` maps operator names to entries of the device's lists.
struct Chooser {
  const DeviceInfo* device;
  std::set<std::string> disabled;
  std::map<std::string, const NodeImplInfo*> forced;
  bool exact = false;

  /// Why `impl` cannot or may not take the node; not whether it should.
  std::optional<std::string> reason_against(const NodeImplInfo& impl, const ImplContext& context) const;
  /// What can and may take the node for the best instruction set, in order; the last of the device's list, plain loops,
  /// only where nothing else does.
  std::vector<const NodeImplInfo*> contenders(const ImplContext& context) const;

  /// unsupported when nothing takes the node; lists the reasons.
  Result<const NodeImplInfo*> choose(const ImplContext& context, NodeChoice& choice) const;
};
/// "conv_good, conv_reference".
std::string impl_names(std::span<const NodeImplInfo> impls);

/// Resolves names ("naive" is the last entry of the operator's list). Errors list what exists; unsupported when the
/// processor cannot run a forced implementation.
Result<std::map<std::string, const NodeImplInfo*>> find_forced(const DeviceInfo& device, const CpuInfo& cpu,
                                                               const std::map<std::string, std::string>& names);

}  // namespace tessera
