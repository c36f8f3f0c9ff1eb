#pragma once
// The Darknet format: a cfg and a weights file.

#include "model/formats.h"

namespace tessera::darknet {

extern const Format kDarknet;

}  // namespace tessera::darknet
