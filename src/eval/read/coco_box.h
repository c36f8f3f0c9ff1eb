#pragma once
// "bbox" of COCO files.

#include <cmath>

#include "base/text.h"
#include "eval/json_records.h"
#include "eval/read/readers.h"

namespace tessera::eval {

/// [x, y, w, h]: four finite numbers of at most kMaxCoordinate.
inline Result<Box> want_box(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::absent) return Error{Code::corrupt, "has no 'bbox'"};
  if (value.kind != JsonValue::Kind::numbers || value.numbers.size() != 4) {
    return Error{Code::corrupt, "'bbox' is not four numbers"};
  }
  for (const double v : value.numbers) {
    if (!(std::abs(v) <= kMaxCoordinate)) return Error{Code::corrupt, text("'bbox' has ", v, ": want at most 1e9")};
  }
  return Box{value.numbers[0], value.numbers[1], value.numbers[2], value.numbers[3]};
}

}  // namespace tessera::eval
