#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kPoolReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_pool_impls() { return kImpls; }

}  // namespace tessera
