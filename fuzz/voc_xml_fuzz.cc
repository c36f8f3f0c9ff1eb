#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "eval/read/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto photo = tessera::eval::parse_voc_xml(std::as_bytes(std::span(data, size)), "a.xml");
  if (!photo) {
    if (!photo.error().message.starts_with("a.xml: ")) std::abort();
    return 0;
  }
  for (const auto& object : photo->objects) {
    if (object.name.empty() || !std::isfinite(object.box.area())) std::abort();
  }
  return 0;
}
