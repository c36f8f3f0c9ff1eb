#include <cstdint>
#include <cstdlib>

#include "tensor/element_count.h"
#include "tensor/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = tessera::parse_npy(std::as_bytes(std::span(data, size)));
  if (array && static_cast<std::size_t>(tessera::element_count(array->shape).value()) != array->data.size())
    std::abort();
  return 0;
}
