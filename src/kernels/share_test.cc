#include "kernels/share.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(WorthTasks, AreAsManyForEachThreadAndNoSmallerThanWorthIt) {
  EXPECT_EQ(worth_tasks(1'000'000, 1000, 1), 1) << "one thread: one task";
  EXPECT_EQ(worth_tasks(999, 1000, 2), 1);
  EXPECT_EQ(worth_tasks(2000, 1000, 2), 2);
  EXPECT_EQ(worth_tasks(3999, 1000, 2), 2) << "three would leave one thread twice the work";
  EXPECT_EQ(worth_tasks(5000, 1000, 2), 4);
  EXPECT_EQ(worth_tasks(1'000'000, 1000, 2), 8) << "at most four per thread";
  EXPECT_EQ(worth_tasks(3000, 1000, 8), 3) << "fewer than threads";
  EXPECT_EQ(worth_tasks(0, 1000, 4), 1);
}

}  // namespace
}  // namespace tessera
