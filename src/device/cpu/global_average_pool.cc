#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kGlobalAveragePoolReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_global_average_pool_impls() { return kImpls; }

}  // namespace tessera
