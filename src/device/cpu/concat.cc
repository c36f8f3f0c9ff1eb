#include "device/cpu/cpu.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr NodeImplInfo kImpls[] = {
    kConcatReference,
};

}  // namespace

std::span<const NodeImplInfo> cpu_concat_impls() { return kImpls; }

}  // namespace tessera
