#include <algorithm>

#include "base/text.h"
#include "device/cpu/cpu.h"
#include "device/device.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr DeviceInfo kCpu{"cpu", "SIMD kernels chosen for this processor at run time", cpu_impls};
constexpr DeviceInfo kReference{"reference", "plain loops with double accumulators: the oracle", reference_impls};

constexpr const DeviceInfo* kDevices[] = {&kCpu, &kReference};  // sorted by name
constexpr auto kDeviceName = [](const DeviceInfo* device) { return std::string_view(device->name); };
static_assert(std::ranges::is_sorted(kDevices, std::ranges::less{}, kDeviceName));

}  // namespace

std::span<const DeviceInfo* const> devices() { return kDevices; }

Result<const DeviceInfo*> find_device(std::string_view name) {
  std::string known;
  for (const DeviceInfo* device : kDevices) {
    if (name == device->name) return device;
    known += text(known.empty() ? "" : ", ", device->name);
  }
  return Error{Code::not_found, text("device '", name, "' is not built in; there are ", known)};
}

}  // namespace tessera
