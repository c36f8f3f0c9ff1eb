#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kAddReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_add_impls() { return kImpls; }

}  // namespace tessera
