#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "eval/read/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto objects = tessera::eval::parse_yolo_text(text, "a.txt", 640, 480);
  if (!objects) {
    if (!objects.error().message.starts_with("a.txt: line ")) std::abort();
    return 0;
  }
  for (const auto& object : *objects) {
    if (object.class_id < 0 || !std::isfinite(object.box.area())) std::abort();
  }
  return 0;
}
