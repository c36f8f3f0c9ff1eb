#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace tessera {
namespace {

TEST(ThreadPool, EveryTaskRunsOnceOnAKnownWorker) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    ASSERT_EQ(pool.threads(), threads);
    for (std::size_t tasks : {0u, 1u, 2u, 3u, 7u, 64u, 1000u}) {
      std::vector<std::atomic<int>> runs(tasks);
      std::atomic<bool> worker_in_range{true};
      pool.run(tasks, [&](std::size_t task, int worker) {
        runs[task].fetch_add(1);
        if (worker < 0 || worker >= threads) worker_in_range = false;
      });
      for (std::size_t task = 0; task < tasks; ++task) EXPECT_EQ(runs[task].load(), 1) << task;
      EXPECT_TRUE(worker_in_range);
    }
  }
}

TEST(ThreadPool, ResultsOfARegionAreVisibleToTheNext) {
  ThreadPool pool(4);
  std::vector<long> cells(257, 0);
  for (int round = 0; round < 2000; ++round) {
    pool.run(cells.size(), [&](std::size_t task, int) { ++cells[task]; });  // plain writes: tsan would see a race
  }
  EXPECT_EQ(std::accumulate(cells.begin(), cells.end(), 0L), 257L * 2000);
}

TEST(ThreadPool, LargeAndSmallCallablesDoTheSame) {
  ThreadPool pool(3);
  std::vector<int> runs(50, 0);
  const std::vector<int> weights(50, 3);
  long a = 1, b = 2, c = 3;
  const auto large = [&runs, weights, &a, &b, &c](std::size_t task, int) {
    runs[task] += weights[task] + static_cast<int>(a + b + c);
  };
  const auto small = [&runs](std::size_t task, int) { ++runs[task]; };
  static_assert(sizeof(large) > 32 && sizeof(small) <= 32);
  pool.run(runs.size(), large);
  pool.run(runs.size(), small);
  EXPECT_EQ(runs, std::vector<int>(50, 3 + 6 + 1));
}

TEST(ThreadPool, EveryNumberOfTasksAndThreadsRegionAfterRegion) {
  for (int threads = 2; threads <= 6; ++threads) {
    ThreadPool pool(threads);
    for (std::size_t round = 0; round < 3000; ++round) {
      std::vector<int> runs(round % 23, 0);  // plain, as above
      pool.run(runs.size(), [&](std::size_t task, int) { ++runs[task]; });
      ASSERT_EQ(runs, std::vector<int>(runs.size(), 1)) << threads << " threads, region " << round;
    }
  }
}

TEST(ThreadPool, WakesAfterSleeping) {
  ThreadPool pool(3);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // longer than the spin: workers are in wait
    std::atomic<int> done{0};
    pool.run(100, [&](std::size_t, int) { done.fetch_add(1); });
    EXPECT_EQ(done.load(), 100);
  }
}

TEST(ThreadPool, IdlePoolSleeps) {
  const auto cpu_us = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000L + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
  };
  ThreadPool pool(5);
  pool.run(5, [](std::size_t, int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const long before = cpu_us();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  // Four workers that spun would use CPU time near the wall time; sleeping ones use none. 100 ms is far from both.
  EXPECT_LT(cpu_us() - before, 100'000);
}

TEST(ThreadPool, PoolsMayBeMadeAndDestroyedInAnyNumber) {
  for (int i = 0; i < 200; ++i) {
    ThreadPool pool(1 + i % 4);
    std::atomic<int> done{0};
    pool.run(3, [&](std::size_t, int) { done.fetch_add(1); });
    ASSERT_EQ(done.load(), 3);
  }
}

}  // namespace
}  // namespace tessera
