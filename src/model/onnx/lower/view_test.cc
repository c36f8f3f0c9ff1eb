// Views against plain index arithmetic: what element (i0, i1, ...) is must not change.

#include "model/onnx/lower/view.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tessera::onnx {
namespace {

std::int64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

/// The linear indices that the view sees, row-major over its dims.
std::vector<std::int64_t> seen(const View& view) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < product(view.dims); ++i) {
    std::int64_t at = view.offset, rest = i;
    for (int axis = view.dims.size() - 1; axis >= 0; --axis) {
      at += rest % view.dims[axis] * view.strides[axis];
      rest /= view.dims[axis];
    }
    out.push_back(at);
  }
  return out;
}

TEST(View, WholeWalksTheOrder) {
  const View view = whole(3, Kind::real, {1, 2, 3, 4}, image_order(4));  // NCHW stored NHWC
  EXPECT_EQ(view.strides, (Dims{24, 1, 8, 2}));
  EXPECT_TRUE(is_stored(view, {0, 2, 3, 1}, 24));
  EXPECT_FALSE(is_stored(view, natural_order(4), 24));
  EXPECT_FALSE(is_stored(view, {0, 2, 3, 1}, 48));
  EXPECT_TRUE(covers(view, 24));
  EXPECT_EQ(memory_order(view), (Order{0, 2, 3, 1}));
}

TEST(View, AnAxisOfOneIsStoredAnywhere) {
  const View view = whole(0, Kind::real, {1, 5, 1, 1}, natural_order(4));
  EXPECT_TRUE(is_stored(view, image_order(4), 5));
  EXPECT_TRUE(is_stored(view, natural_order(4), 5));
}

TEST(View, SlicesAndExpansionsCoverNothing) {
  const View view = whole(0, Kind::real, {2, 6}, natural_order(2));
  const View slice = sliced(view, 1, 4, -2, 3);  // columns 4, 2, 0
  EXPECT_EQ(seen(slice), (std::vector<std::int64_t>{4, 2, 0, 10, 8, 6}));
  EXPECT_FALSE(covers(slice, 12));
  EXPECT_FALSE(covers(expanded(view, {3, 2, 6}), 12));
  EXPECT_EQ(seen(expanded(whole(0, Kind::real, {2, 1}, natural_order(2)), {2, 3})),
            (std::vector<std::int64_t>{0, 0, 0, 1, 1, 1}));
}

TEST(View, ReshapeThatCannotBeSaidIsRefused) {
  const View image = whole(0, Kind::real, {1, 2, 3, 4}, image_order(4));
  EXPECT_TRUE(reshaped(image, {1, 2, 12}).has_value());  // pixels follow one another
  EXPECT_FALSE(reshaped(image, {1, 6, 4}).has_value());  // channels and rows do not
  EXPECT_TRUE(reshaped(image, {2, 1, 12, 1}).has_value());
}

// Random chains of transposes, slices and reshapes: what can be said is what the numbers say.
TEST(View, RandomChainsKeepTheNumbers) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  int reshapes = 0;
  for (int round = 0; round < 2000; ++round) {
    const Dims start{1 + below(3), 1 + below(4), 1 + below(3), 1 + below(4)};
    View view = whole(0, Kind::real, start, below(2) ? image_order(4) : natural_order(4));
    if (below(2)) {
      Order permutation = natural_order(4);
      std::shuffle(permutation.begin(), permutation.end(), random);
      view = transposed(view, permutation);
    }
    if (below(3) == 0) {
      const int axis = below(4);
      view = sliced(view, axis, below(static_cast<int>(view.dims[axis])), 1, 1);
    }
    const std::int64_t count = product(view.dims);
    Dims target{1, 1, 1};
    std::int64_t rest = count;
    for (int axis = 0; axis < 2; ++axis) {
      std::vector<std::int64_t> divisors;
      for (std::int64_t d = 1; d <= rest; ++d) {
        if (rest % d == 0) divisors.push_back(d);
      }
      target[axis] = divisors[static_cast<std::size_t>(below(static_cast<int>(divisors.size())))];
      rest /= target[axis];
    }
    target[2] = rest;
    const auto out = reshaped(view, target);
    if (!out) continue;
    ++reshapes;
    ASSERT_EQ(seen(*out), seen(view)) << "round " << round;
  }
  EXPECT_GT(reshapes, 500);
}

TEST(View, FourExtents) {
  EXPECT_EQ(four_extents({1, 8, 8, 3}), (Shape4{1, 8, 8, 3}));
  EXPECT_EQ(four_extents({84, 8400}), (Shape4{1, 1, 84, 8400}));
  EXPECT_EQ(four_extents({}), (Shape4{1, 1, 1, 1}));
  EXPECT_EQ(four_extents({2, 3, 4, 5, 6, 7}), (Shape4{24, 5, 6, 7}));
}

}  // namespace
}  // namespace tessera::onnx
