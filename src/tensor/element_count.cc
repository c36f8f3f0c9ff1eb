#include "tensor/element_count.h"

#include "base/checked.h"
#include "base/text.h"

namespace tessera {

Result<std::int64_t> element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) {
    const auto product = extent < 0 ? std::nullopt : checked_mul(count, extent);
    if (!product)
      return Error{Code::limit_exceeded, text("shape ", to_string(shape), ": the number of elements is out of range")};
    count = *product;
  }
  return count;
}

}  // namespace tessera
