// Detects objects in one photo: detect MODEL PHOTO. The text of docs/library.md.
#include <tessera/detector.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  auto detector = tessera::Detector::load({.model = argv[1]});  // a .cfg beside its .weights, or a .tessera file
  if (!detector) return std::fprintf(stderr, "%s\n", detector.error().message.c_str()), 1;

  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto found = detector->detect_encoded(std::as_bytes(std::span(bytes)));
  if (!found) return std::fprintf(stderr, "%s\n", found.error().message.c_str()), 1;
  for (const tessera::Detection& d : *found) {
    std::printf("%s %.2f  %.0f %.0f %.0f %.0f\n", detector->class_name(d.class_id).c_str(), d.score, d.x1, d.y1, d.x2,
                d.y2);
  }
}
