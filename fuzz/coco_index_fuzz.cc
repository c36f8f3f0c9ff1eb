#include <cstdint>
#include <cstdlib>

#include "pipeline/category_ids.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto index = tessera::parse_coco_index(std::as_bytes(std::span(data, size)));
  if (index && (index->images.empty() || index->categories.empty())) std::abort();
  return 0;
}
