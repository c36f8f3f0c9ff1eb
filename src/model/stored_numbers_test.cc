#include "model/stored_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace tessera {
namespace {

using testing::ElementsAre;

TEST(StoredNumbers, AreCopiedWithoutAFileAndWhereverTheyLie) {
  const float numbers[] = {1, -2, 3.5f};
  std::byte bytes[sizeof numbers + 1];
  for (const std::size_t at : {0, 1}) {
    std::memcpy(bytes + at, numbers, sizeof numbers);
    const Constant constant = stored_numbers({bytes + at, sizeof numbers}, nullptr);
    std::memset(bytes, 0, sizeof bytes);
    EXPECT_THAT(*constant, ElementsAre(1, -2, 3.5f));
  }
  const Constant none = stored_numbers({}, nullptr);
  EXPECT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

TEST(FirstNotFinite, IsFoundAtEveryPlace) {
  for (const std::size_t size : {0, 1, 63, 64, 65, 128, 130}) {
    std::vector<float> numbers(size, -3e38f);
    EXPECT_EQ(first_not_finite(numbers), std::nullopt) << size;
    for (std::size_t at = 0; at < size; ++at) {
      for (const float bad : {NAN, -NAN, INFINITY, -INFINITY}) {
        numbers[at] = bad;
        EXPECT_EQ(first_not_finite(numbers), at) << size;
      }
      numbers[at] = 1e-45f;
    }
  }
  EXPECT_EQ(first_not_finite(std::vector<float>{1, NAN, 2, INFINITY}), 1u);
}

}  // namespace
}  // namespace tessera
