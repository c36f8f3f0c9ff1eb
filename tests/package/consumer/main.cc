// A program outside the tree: uses the installed library through its public headers alone.
#include <tessera/detector.h>

#include <cstdio>

int main() {
  const auto detector = tessera::Detector::load({.model = "missing.cfg"});
  if (detector.has_value()) return 1;
  std::printf("%s: %s\n", tessera::to_string(detector.error().code), detector.error().message.c_str());
  return detector.error().code == tessera::Code::not_found ? 0 : 1;
}
