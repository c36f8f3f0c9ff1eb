#pragma once
// Small sets with known answers, random sets, and the published fixtures.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "eval/dataset.h"
#include "eval/read/readers.h"

namespace tessera::eval::test {

inline Dataset dataset(std::int32_t categories, std::int32_t photos) {
  Dataset out;
  for (std::int32_t k = 0; k < categories; ++k)
    out.categories.push_back({k + 1, std::string(1, static_cast<char>('a' + k))});
  for (std::int32_t p = 0; p < photos; ++p) out.photos.push_back({p + 1, std::to_string(p + 1) + ".png"});
  return out;
}
inline Object object(std::int32_t photo, std::int32_t category, const Box& box, bool crowd = false) {
  return {.photo = photo, .category = category, .box = box, .area = box.area(), .crowd = crowd};
}
inline Scored scored(std::int32_t photo, std::int32_t category, const Box& box, double score) {
  return {photo, category, box, score};
}
inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// A box near `near`, so that overlaps around every threshold occur; whole pixels, so that many are equal.
inline Box nudged(const Box& near, std::mt19937& random) {
  const auto step = [&] { return static_cast<double>(static_cast<int>(random() % 9) - 4); };
  return {near.x + step(), near.y + step(), std::max(0.0, near.w + step()), std::max(0.0, near.h + step())};
}
inline Box any_box(std::mt19937& random) {
  const auto upto = [&](unsigned n) { return static_cast<double>(random() % n); };
  const double size = random() % 4 == 0 ? 150 : 40;  // all three area ranges
  return {upto(200), upto(200), 4 + upto(static_cast<unsigned>(size)), 4 + upto(static_cast<unsigned>(size))};
}

struct RandomSet {
  Dataset dataset;
  Detections detections;
};
/// Crowds, ties of score, duplicates, empty photos and categories, more than 100 detections in places.
inline RandomSet random_set(unsigned seed, std::int32_t categories = 4, std::int32_t photos = 12) {
  std::mt19937 random(seed);
  RandomSet out{dataset(categories, photos), {}};
  const auto score = [&] { return static_cast<double>(random() % 40) / 40; };
  const auto category = [&] { return static_cast<std::int32_t>(random() % static_cast<unsigned>(categories)); };
  for (std::int32_t p = 0; p < photos; ++p) {
    const unsigned objects = random() % 8, strays = random() % 12 == 0 ? 260 : random() % 6;
    for (unsigned i = 0; i < objects; ++i) {
      Object o = object(p, category(), any_box(random), random() % 7 == 0);
      if (random() % 3 == 0) o.area *= 0.6;  // outlines are smaller than boxes
      out.dataset.objects.push_back(o);
      for (unsigned d = random() % 4; d > 0; --d) {
        out.detections.boxes.push_back(
            scored(p, random() % 5 == 0 ? category() : o.category, nudged(o.box, random), score()));
      }
    }
    for (unsigned i = 0; i < strays; ++i)
      out.detections.boxes.push_back(scored(p, category(), any_box(random), score()));
  }
  return out;
}

inline std::filesystem::path data() {
  const char* set = std::getenv("TESSERA_DATA");
  return set != nullptr ? set : TESSERA_DATA_DEFAULT;
}
inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

#define TESSERA_WANT_DATA(folder)                                                        \
  if (!std::filesystem::is_directory(::tessera::eval::test::data() / (folder))) {        \
    GTEST_SKIP() << "TESSERA_DATA has no " << (folder) << ": published cases not there"; \
  }

}  // namespace tessera::eval::test
