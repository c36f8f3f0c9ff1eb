#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

// Sorted by name (tested: the names live in other files).
constexpr const LayerKind* kKinds[] = {
    &kActivationLayer, &kAvgpool, &kBatchnorm, &kConvolutional, &kCost,     &kDropout, &kEmpty,    &kLocalAvgpool,
    &kMaxpool,         &kRoute,   &kSam,       &kScaleChannels, &kShortcut, &kSoftmax, &kUpsample, &kYolo,
};

}  // namespace

std::span<const LayerKind* const> layer_kinds() { return kKinds; }

}  // namespace tessera::darknet
