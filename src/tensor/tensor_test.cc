#include <gtest/gtest.h>
#include <tessera/tensor.h>

#include "tensor/element_count.h"

namespace tessera {
namespace {

TEST(Shape, ComparesAndPrints) {
  EXPECT_EQ(to_string(Shape{1, 320, 320, 3}), "1x320x320x3");
  EXPECT_EQ((Shape{1, 2}), (Shape{1, 2}));
  EXPECT_NE((Shape{1, 2}), (Shape{1, 2, 1}));
  EXPECT_EQ((Shape{1, 2, 3, 4, 5, 6, 7}).rank(), 7);  // too many is visible, not undefined
}

TEST(Shape, CountsElementsOrSaysWhyNot) {
  EXPECT_EQ(element_count({2, 3, 4}).value(), 24);
  EXPECT_EQ(element_count({}).value(), 1);
  EXPECT_EQ(element_count({5, 0}).value(), 0);
  EXPECT_EQ(element_count({std::int64_t{1} << 40, std::int64_t{1} << 40}).error().code, Code::limit_exceeded);
  EXPECT_EQ(element_count({-1, 2}).error().code, Code::limit_exceeded);
}

TEST(TensorSpec, EqualityLooksAtEveryField) {
  const TensorSpec plain{.shape = {1, 2, 2, 16}};
  TensorSpec other = plain;
  EXPECT_EQ(plain, other);
  other.layout = MlaCBlocked{1, 1, 16};
  EXPECT_NE(plain, other);
  other = plain;
  other.quant = Quant{0.5f, 3};
  EXPECT_NE(plain, other);
}

}  // namespace
}  // namespace tessera
