#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kActivationReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_activation_impls() { return kImpls; }

}  // namespace tessera
