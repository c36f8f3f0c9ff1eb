#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kConvReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_conv_impls() { return kImpls; }

}  // namespace tessera
