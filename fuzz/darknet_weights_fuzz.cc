// Any bytes as the weights of one small network, through the public door.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view cfg =
      "[net]\nwidth=8\nheight=8\nchannels=1\n[convolutional]\nbatch_normalize=1\nfilters=2\nsize=3\nactivation=mish\n"
      "[batchnorm]\n[convolutional]\nfilters=6\nactivation=linear\n[yolo]\nanchors=1,2\nclasses=1\n";
  const auto model = tessera::load_model(tessera::ModelBytes{.name = "fuzz.cfg",
                                                             .model = std::as_bytes(std::span(cfg)),
                                                             .weights = std::as_bytes(std::span(data, size)),
                                                             .names = {},
                                                             .size = {},
                                                             .log = {}});
  static_cast<void>(model.has_value());
  return 0;
}
