#pragma once
// The kinds of sections, each defined in the file named after it (or after its group); listed in layers.cc.

#include "model/darknet/builder.h"

namespace tessera::darknet {

extern const LayerKind kActivationLayer, kAvgpool, kBatchnorm, kConvolutional, kCost, kDropout, kEmpty, kLocalAvgpool,
    kMaxpool, kRoute, kSam, kScaleChannels, kShortcut, kSoftmax, kUpsample, kYolo;

}  // namespace tessera::darknet
