#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kUpsampleReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_upsample_impls() { return kImpls; }

}  // namespace tessera
