#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kSoftmaxReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_softmax_impls() { return kImpls; }

}  // namespace tessera
