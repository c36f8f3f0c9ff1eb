#include "graph/constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;

std::shared_ptr<const std::vector<float>> vector(std::vector<float> values) {
  return std::make_shared<const std::vector<float>>(std::move(values));
}

TEST(Constant, IsNullUntilItHasNumbersBeTheyNone) {
  EXPECT_FALSE(Constant());
  EXPECT_TRUE(Constant(nullptr) == nullptr);
  EXPECT_EQ(Constant()->size(), 0u);
  EXPECT_TRUE(Constant(vector({})));
}

TEST(Constant, SharesNumbersWithItsCopies) {
  const Constant one = vector({1, 2, 3}), two = one;
  EXPECT_THAT(*one, ElementsAre(1, 2, 3));
  EXPECT_EQ(one->data(), two->data());
  EXPECT_EQ(*one, *Constant(vector({1, 2, 3})));
  EXPECT_FALSE(*one == *Constant(vector({1, 2})));
}

TEST(Constant, NumbersStayAsLongAsAnybodyHasThem) {
  auto owner = vector({1, 2, 3});
  const std::weak_ptr<const std::vector<float>> alive = owner;
  Constant part(owner, Numbers(owner->data() + 1, 2)), copy = part;
  owner.reset();
  EXPECT_THAT(*part, ElementsAre(2, 3));
  part.drop();
  EXPECT_FALSE(part);
  EXPECT_EQ(part->size(), 0u);
  EXPECT_EQ(part.count(), 2u);
  EXPECT_THAT(*copy, ElementsAre(2, 3));
  copy.drop();
  EXPECT_TRUE(alive.expired());
}

}  // namespace
}  // namespace tessera
