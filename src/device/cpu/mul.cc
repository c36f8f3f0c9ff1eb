#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kMulReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_mul_impls() { return kImpls; }

}  // namespace tessera
