#include "eval/error_kinds.h"

#include <gtest/gtest.h>

#include "eval/coco.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::dataset;
using test::object;
using test::scored;

constexpr Box kBox{100, 100, 40, 40};
constexpr Box kNear{120, 100, 40, 40};  // IoU 1/3
constexpr Box kFar{300, 300, 40, 40};

/// One object of category 0; one detection, or none.
ErrorKinds errors(std::vector<Scored> found, bool second_object = false) {
  auto data = dataset(2, 1);
  data.objects = {object(0, 0, kBox)};
  if (second_object) data.objects.push_back(object(0, 1, kFar));
  return find_errors(data, {std::move(found), {}, 0});
}
void expect_only(const ErrorKinds& errors, ErrorKind kind, std::int64_t missed = 0) {
  for (std::size_t k = 0; k < kErrorKinds; ++k) {
    const auto this_kind = static_cast<ErrorKind>(k);
    const std::int64_t want = (this_kind == kind ? 1 : 0) + (this_kind == ErrorKind::missed ? missed : 0);
    EXPECT_EQ(errors.of(this_kind).count, want) << to_string(this_kind) << " beside " << to_string(kind);
  }
}

TEST(ErrorKinds, RightIsNone) {
  const ErrorKinds e = errors({scored(0, 0, kBox, 0.9)});
  EXPECT_NEAR(e.map_50, 1, 1e-15);
  for (const ErrorCost& cost : e.kinds) {
    EXPECT_EQ(cost.count, 0);
    EXPECT_EQ(cost.cost, 0);
  }
}

TEST(ErrorKinds, Localization) {
  const ErrorKinds e = errors({scored(0, 0, kNear, 0.9)});
  expect_only(e, ErrorKind::localization);
  EXPECT_EQ(e.map_50, 0);
  EXPECT_NEAR(e.of(ErrorKind::localization).cost, 1, 1e-15);
  EXPECT_EQ(e.of(ErrorKind::missed).cost, 0);  // mending the box would find it
}

TEST(ErrorKinds, Classification) {
  const ErrorKinds e = errors({scored(0, 1, kBox, 0.9)});
  expect_only(e, ErrorKind::classification);
  EXPECT_NEAR(e.of(ErrorKind::classification).cost, 1, 1e-15);
}

TEST(ErrorKinds, Both) {
  const ErrorKinds e = errors({scored(0, 1, kNear, 0.9)});
  expect_only(e, ErrorKind::both, 1);
}

TEST(ErrorKinds, Background) {
  const ErrorKinds e = errors({scored(0, 0, kFar, 0.9), scored(0, 0, kBox, 0.8)});
  expect_only(e, ErrorKind::background);
  EXPECT_NEAR(e.map_50, 0.5, 1e-15);
  EXPECT_NEAR(e.of(ErrorKind::background).cost, 0.5, 1e-15);
}

TEST(ErrorKinds, Duplicate) {
  const ErrorKinds e = errors({scored(0, 0, kBox, 0.9), scored(0, 0, kBox, 0.8)});
  expect_only(e, ErrorKind::duplicate);
  EXPECT_EQ(e.of(ErrorKind::duplicate).cost, 0);  // it comes after the last hit
}

TEST(ErrorKinds, Missed) {
  const ErrorKinds e = errors({scored(0, 0, kBox, 0.9)}, true);
  expect_only(e, ErrorKind::missed, 0);
  EXPECT_NEAR(e.map_50, 0.5, 1e-15);
  EXPECT_NEAR(e.of(ErrorKind::missed).cost, 0.5, 1e-15);  // the category without found objects drops out
}

TEST(ErrorKinds, OnlyTheBestMendsAnObject) {
  // Two near boxes: the better becomes the hit, the other goes.
  const ErrorKinds e = errors({scored(0, 0, kNear, 0.9), scored(0, 0, kNear, 0.8)});
  EXPECT_EQ(e.of(ErrorKind::localization).count, 2);
  EXPECT_NEAR(e.of(ErrorKind::localization).cost, 1, 1e-15);
  // A found object is not found again: the near box goes, nothing is gained behind the hit.
  const ErrorKinds found = errors({scored(0, 0, kBox, 0.9), scored(0, 0, kNear, 0.8)});
  EXPECT_EQ(found.of(ErrorKind::localization).cost, 0);
}

TEST(ErrorKinds, CrowdIsNoError) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox), object(0, 0, {200, 200, 200, 200}, true)};
  const ErrorKinds e = find_errors(data, {{scored(0, 0, kBox, 0.9), scored(0, 0, kFar, 0.95)}, {}, 0});
  for (const ErrorCost& cost : e.kinds) EXPECT_EQ(cost.count, 0);
}

TEST(ErrorKinds, Nothing) {
  EXPECT_EQ(find_errors({}, {}).map_50, -1);
  const ErrorKinds e = errors({});
  EXPECT_EQ(e.map_50, 0);
  EXPECT_EQ(e.of(ErrorKind::missed).count, 1);
}

TEST(ErrorKinds, EveryMissIsOfOneKind) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto [data, found] = test::random_set(seed);
    const ErrorKinds e = find_errors(data, found);
    EXPECT_NEAR(e.map_50, score_coco(data, found).stats.ap50, 1e-12) << "seed " << seed;
    for (const ErrorCost& cost : e.kinds) {
      EXPECT_LE(e.map_50 + cost.cost, 1 + 1e-12) << "seed " << seed;
      if (cost.count > 0) continue;
      EXPECT_EQ(cost.cost, 0) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace tessera::eval
