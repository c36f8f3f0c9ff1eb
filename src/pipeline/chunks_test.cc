#include "pipeline/chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tessera {
namespace {

std::vector<std::size_t> sizes(const ChunkOptions& options, std::size_t photos_per_pass, std::size_t photos) {
  Chunks chunks(options, photos_per_pass);
  std::vector<std::size_t> out;
  for (std::size_t taken = 0; taken < photos; taken += out.back()) {
    out.push_back(std::min(chunks.next(taken), photos - taken));
  }
  return out;
}

using testing::ElementsAre;

TEST(Chunks, AreSmallAtBothEnds) {
  EXPECT_THAT(sizes({16, 8, 64}, 1, 64), ElementsAre(8, 16, 16, 16, 8));
  EXPECT_THAT(sizes({16, 8, 60}, 1, 60), ElementsAre(8, 16, 16, 12, 8));
  EXPECT_THAT(sizes({16, 8, 66}, 1, 66), ElementsAre(8, 16, 16, 16, 2, 8));
  EXPECT_THAT(sizes({16, 8, 10}, 1, 10), ElementsAre(8, 2));
  EXPECT_THAT(sizes({16, 8, 5}, 1, 5), ElementsAre(5));
  EXPECT_THAT(sizes({4, 2, 31}, 4, 31), ElementsAre(8, 16, 7));  // passes of four photos
}

TEST(Chunks, WithoutATotalOnlyTheFirstIsSmall) { EXPECT_THAT(sizes({16, 8, {}}, 1, 50), ElementsAre(8, 16, 16, 10)); }

TEST(Chunks, OfOneSizeAndOfOnePass) {
  EXPECT_THAT(sizes({16, 16, 40}, 1, 40), ElementsAre(16, 8, 16));
  EXPECT_THAT(sizes({1, 1, 3}, 1, 3), ElementsAre(1, 1, 1));
  EXPECT_THAT(sizes({1, 1, {}}, 4, 6), ElementsAre(4, 2));
}

TEST(Chunks, AWrongTotalStillGivesWholePasses) {
  Chunks chunks({16, 8, 10}, 2);
  EXPECT_EQ(chunks.next(0), 16u);
  EXPECT_EQ(chunks.next(100), 2u);
  EXPECT_EQ(Chunks({16, 8, {}}, 4).largest(), 64u);
}

// Every run of up to 300 photos: all handed over, none larger than asked, the last no larger than the end's size.
TEST(Chunks, CoverEveryRun) {
  for (std::size_t photos = 1; photos <= 300; ++photos) {
    const auto all = sizes({16, 8, photos}, 1, photos);
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::size_t{0}), photos);
    EXPECT_LE(*std::ranges::max_element(all), 16u);
    EXPECT_LE(all.front(), 8u);
    EXPECT_LE(all.back(), 8u);
  }
}

}  // namespace
}  // namespace tessera
