#include "eval/bootstrap.h"

#include <gtest/gtest.h>

#include <numeric>

#include "eval/coco.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::dataset;
using test::object;
using test::scored;

/// The set as if each photo stood in it as often as drawn.
test::RandomSet repeated(const Dataset& data, const Detections& found, const std::vector<std::uint32_t>& draws) {
  test::RandomSet out;
  out.dataset.categories = data.categories;
  for (std::size_t p = 0; p < draws.size(); ++p) {
    for (std::uint32_t i = 0; i < draws[p]; ++i) {
      const auto photo = static_cast<std::int32_t>(out.dataset.photos.size());
      out.dataset.photos.push_back({photo, ""});
      for (Object o : data.objects) {
        if (o.photo == static_cast<std::int32_t>(p)) o.photo = photo, out.dataset.objects.push_back(o);
      }
      for (Scored d : found.boxes) {
        if (d.photo == static_cast<std::int32_t>(p)) d.photo = photo, out.detections.boxes.push_back(d);
      }
    }
  }
  return out;
}

/// No two equal scores, so that the order of a resample is not in question.
void make_scores_distinct(Detections& found) {
  for (std::size_t i = 0; i < found.boxes.size(); ++i) found.boxes[i].score += 1e-6 * static_cast<double>(i);
}

TEST(Bootstrap, AResampleScoresAsThePhotosRepeated) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    auto [data, a] = test::random_set(seed);
    Detections b{{a.boxes.begin(), a.boxes.begin() + static_cast<std::ptrdiff_t>(a.boxes.size() / 2)}, {}, 0};
    make_scores_distinct(a);
    make_scores_distinct(b);
    const auto draws = draw_photos(data.photos.size(), seed, 0);
    const auto first = repeated(data, a, draws), second = repeated(data, b, draws);
    const CocoStats x = score_coco(first.dataset, first.detections).stats;
    const CocoStats y = score_coco(second.dataset, second.detections).stats;
    const auto got = paired_bootstrap(data, a, b, {.resamples = 1, .seed = seed});
    ASSERT_TRUE(got.has_value());
    ASSERT_EQ(got->resamples, 1);  // so the interval is the one difference
    EXPECT_NEAR(got->map_50.low, x.ap50 - y.ap50, 1e-12) << "seed " << seed;
    EXPECT_NEAR(got->map_50_95.high, x.ap - y.ap, 1e-12) << "seed " << seed;
    EXPECT_NEAR(got->map_50_95.value, score_coco(data, a).stats.ap - score_coco(data, b).stats.ap, 1e-12);
  }
}

TEST(Bootstrap, SameSeedSameNumbersWhateverTheThreads) {
  const auto set = test::random_set(3);
  const Dataset& data = set.dataset;
  const Detections& a = set.detections;
  const Detections b{{a.boxes.begin(), a.boxes.begin() + static_cast<std::ptrdiff_t>(a.boxes.size() / 2)}, {}, 0};
  const auto run = [&](std::uint64_t seed, int threads) {
    return paired_bootstrap(data, a, b, {.resamples = 200, .seed = seed, .threads = threads})->map_50_95;
  };
  const Difference one = run(7, 1), three = run(7, 3), other = run(8, 1);
  EXPECT_EQ(one.low, three.low);
  EXPECT_EQ(one.high, three.high);
  EXPECT_EQ(one.first_better, three.first_better);
  EXPECT_NE(one.low + one.high, other.low + other.high);
}

TEST(Bootstrap, DrawsAreTheSameOnEveryMachine) {
  const auto draws = draw_photos(8, 1, 0);
  EXPECT_EQ(std::accumulate(draws.begin(), draws.end(), 0u), 8u);
  // std::mt19937_64 is fixed by the C++ standard; so are these.
  EXPECT_EQ(draws, draw_photos(8, 1, 0));
  EXPECT_NE(draws, draw_photos(8, 1, 1));
  std::vector<std::uint64_t> sums(8);
  for (int i = 0; i < 4000; ++i) {
    const auto some = draw_photos(8, 42, i);
    for (std::size_t p = 0; p < 8; ++p) sums[p] += some[p];
  }
  // 32000 draws, 4000 expected each, deviation sqrt(32000 * 1/8 * 7/8) = 59; five of them.
  for (const auto sum : sums) EXPECT_NEAR(static_cast<double>(sum), 4000, 300);
}

TEST(Bootstrap, EqualRunsDoNotDiffer) {
  const auto [data, a] = test::random_set(5);
  const auto got = paired_bootstrap(data, a, a, {.resamples = 100});
  EXPECT_EQ(got->map_50.low, 0);
  EXPECT_EQ(got->map_50.high, 0);
  EXPECT_EQ(got->map_50.first_better, 0.5);
}

TEST(Bootstrap, AClearGainIsSeen) {
  auto data = dataset(1, 40);
  Detections all, half;
  for (std::int32_t p = 0; p < 40; ++p) {
    data.objects.push_back(object(p, 0, {10, 10, 40, 40}));
    all.boxes.push_back(scored(p, 0, {10, 10, 40, 40}, 0.9 - 0.001 * p));
    if (p % 2 == 0) half.boxes.push_back(all.boxes.back());
  }
  const auto got = paired_bootstrap(data, all, half, {.resamples = 500});
  // The worse run finds a binomial share of the draw, 0.5 with deviation sqrt(0.25 / 40) = 0.079.
  EXPECT_NEAR(got->map_50.value, 0.495, 0.01);
  EXPECT_NEAR(got->map_50.low, 0.5 - 1.96 * 0.079, 0.05);
  EXPECT_NEAR(got->map_50.high, 0.5 + 1.96 * 0.079, 0.05);
  EXPECT_EQ(got->map_50.first_better, 1);
}

TEST(Bootstrap, RefusesWhatItCannotDo) {
  const auto [data, a] = test::random_set(1);
  EXPECT_EQ(paired_bootstrap({}, {}, {}, {}).error().message, "bootstrap: no photo is common to both runs");
  EXPECT_EQ(paired_bootstrap(data, a, a, {.resamples = 0}).error().code, Code::invalid_argument);
  EXPECT_EQ(paired_bootstrap(data, a, a, {.confidence = 1}).error().code, Code::invalid_argument);
  EXPECT_EQ(paired_bootstrap(data, a, a, {.threads = 0}).error().code, Code::invalid_argument);
  const auto stop = [](int) { return false; };
  EXPECT_EQ(paired_bootstrap(data, a, a, {.progress = stop}).error().code, Code::cancelled);
}

TEST(Bootstrap, PhotosWithoutObjectsAlone) {
  const auto data = dataset(1, 3);
  const auto got = paired_bootstrap(data, {}, {}, {.resamples = 10});
  EXPECT_EQ(got->resamples, 0);
}

}  // namespace
}  // namespace tessera::eval
