#include "pipeline/video/newest_slot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tessera {
namespace {

TEST(NewestSlot, TheNewestWinsAndTheOthersAreCounted) {
  NewestSlot<int> slot;
  slot.put(1);
  EXPECT_EQ(slot.take({})->value, 1);
  for (const int value : {2, 3, 4}) slot.put(value);
  const auto taken = slot.take({});
  EXPECT_EQ(taken->value, 4);
  EXPECT_EQ(taken->dropped, 2);
  slot.put(5);
  EXPECT_EQ(slot.take({})->dropped, 0);  // told once
  EXPECT_EQ(slot.dropped(), 2);
}

TEST(NewestSlot, WhatIsInAClosedSlotCanStillBeTaken) {
  NewestSlot<int> slot;
  slot.put(7);
  slot.close();
  EXPECT_EQ(slot.take({})->value, 7);
  EXPECT_FALSE(slot.take({}).has_value());
}

TEST(NewestSlot, StoppedEndsTheWaiting) {
  NewestSlot<int> slot;
  int asked = 0;
  EXPECT_FALSE(slot.take([&] { return ++asked == 3; }).has_value());
  EXPECT_EQ(asked, 3);
}

// The consumer asks once for each value it got, so the producer knows when it waits: no clock takes part.
TEST(NewestSlot, AValueThatIsWaitedForIsNeverDropped) {
  NewestSlot<int> slot;
  std::atomic<int> taken = 0;
  std::thread producer([&] {
    for (int i = 0; i < 1000; ++i) {
      while (taken.load() != i) std::this_thread::yield();
      slot.put(i);
    }
    slot.close();
  });
  std::vector<int> values;
  while (const auto next = slot.take({})) {
    values.push_back(next->value);
    EXPECT_EQ(next->dropped, 0);
    ++taken;
  }
  producer.join();
  ASSERT_EQ(values.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
}

// Whatever the speeds: each value is taken or counted, order is kept, and the last one arrives.
TEST(NewestSlot, EveryValueIsTakenOrCounted) {
  NewestSlot<int> slot;
  std::thread producer([&] {
    for (int i = 0; i < 20000; ++i) slot.put(i);
    slot.close();
  });
  int last = -1;
  std::int64_t taken = 0, dropped = 0;
  while (const auto next = slot.take({})) {
    EXPECT_EQ(next->value - last - 1, next->dropped);
    last = next->value;
    dropped += next->dropped;
    ++taken;
  }
  producer.join();
  EXPECT_EQ(last, 19999);
  EXPECT_EQ(taken + dropped, 20000);
  EXPECT_EQ(slot.dropped(), dropped);
}

}  // namespace
}  // namespace tessera
