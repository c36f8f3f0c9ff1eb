#pragma once
// A run kept for later comparison: COCO results, and which photos they cover.

#include <tessera/result.h>

#include "eval/dataset.h"
#include "pipeline/text_out.h"

namespace tessera::eval {

/// {"photos":[ids],"detections":[{"image_id","category_id","bbox","score"}]}, one detection a line; read_detections
/// reads it back to the same bits. io when `out` takes no more.
Status write_run(TextOut& out, const Dataset& dataset, const Detections& detections);

}  // namespace tessera::eval
