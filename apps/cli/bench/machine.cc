#include "bench/machine.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "base/text.h"
#include "base/thread_pool.h"
#include "bench/read_loops.h"
#include "kernels/gemm/peak.h"

namespace tessera::cli {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kMost = 256 * kMiB;  // read by all threads together
constexpr int kTries = 6;
constexpr std::size_t kLine = 64;

struct Free {
  void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
};
using Bytes = std::unique_ptr<std::byte, Free>;

double seconds_of(ThreadPool& pool, TaskRef task) {
  const auto start = std::chrono::steady_clock::now();
  pool.run(static_cast<std::size_t>(pool.threads()), task);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double measure_peak(Isa isa, ThreadPool& pool) {
  constexpr int kCalls = 10;  // about a millisecond: waking the threads is small beside it
  const PeakLoop loop = peak_loop(isa);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    best = std::min(best, seconds_of(pool, [&](std::size_t, int) {
                      for (int call = 0; call < kCalls; ++call) loop.run();
                    }));
  }
  return 1e-9 * loop.flops * kCalls * pool.threads() / best;
}

// Every thread reads a part of its own, again and again when the whole is small.
double measure_reading(const ReadLoop& read, const std::byte* bytes, std::int64_t per_thread, ThreadPool& pool) {
  constexpr std::int64_t kWanted = 32 * kMiB;
  const std::int64_t passes = std::max<std::int64_t>(1, kWanted / per_thread);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    best = std::min(best, seconds_of(pool, [&](std::size_t task, int) {
                      const std::byte* part = bytes + static_cast<std::int64_t>(task) * per_thread;
                      for (std::int64_t pass = 0; pass < passes; ++pass) {
                        read(part, static_cast<std::size_t>(per_thread));
                      }
                    }));
  }
  return 1e-9 * static_cast<double>(passes * per_thread * pool.threads()) / best;
}

std::int64_t l3_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  return std::max<std::int64_t>(0, ::sysconf(_SC_LEVEL3_CACHE_SIZE));
#else
  return 0;
#endif
}

struct Wanted {
  const char* name;
  std::int64_t capacity, per_thread;
};

// Half of a level is surely inside it; four times L2 is surely outside of L2. Without a known L3 there is none.
std::vector<Wanted> wanted_levels(std::int64_t l2, int threads) {
  const auto whole_lines = [&](std::int64_t bytes) { return std::min(bytes, kMost / threads) / 4096 * 4096; };
  const std::int64_t l3 = l3_bytes(), in_l3 = std::min(4 * l2, l3 / 2 / threads);
  std::vector<Wanted> out{{"L2", l2 * threads, whole_lines(l2 / 2)}};
  if (in_l3 > l2) out.push_back({"L3", l3, whole_lines(in_l3)});
  const std::int64_t all = std::clamp(4 * l3, 64 * kMiB, kMost);
  out.push_back({"memory", std::numeric_limits<std::int64_t>::max(), whole_lines(all / threads)});
  return out;
}

}  // namespace

Result<Machine> measure_machine(const CpuInfo& cpu, int threads) {
  const auto wanted = wanted_levels(std::max<std::int64_t>(cpu.l2_bytes(), 64 * 1024), threads);
  std::int64_t most = 0;
  for (const Wanted& level : wanted) most = std::max(most, level.per_thread * threads);
  const Bytes bytes(static_cast<std::byte*>(std::aligned_alloc(kLine, static_cast<std::size_t>(most))));
  if (!bytes) return Error{Code::limit_exceeded, text("measuring the memory: cannot get ", most, " bytes")};
  std::memset(bytes.get(), 1, static_cast<std::size_t>(most));  // pages of their own, not the one of zeros

  ThreadPool pool(threads);
  Machine out{cpu.best(), threads, measure_peak(cpu.best(), pool), {}};
  const ReadLoop read = read_loop(cpu.best());
  for (const Wanted& level : wanted) {
    out.levels.push_back({level.name, level.capacity, level.per_thread * threads,
                          measure_reading(read, bytes.get(), level.per_thread, pool)});
  }
  return out;
}

const MemoryLevel& level_for(const Machine& machine, double bytes) {
  for (const MemoryLevel& level : machine.levels) {
    if (bytes <= static_cast<double>(level.capacity_bytes)) return level;
  }
  return machine.levels.back();
}

}  // namespace tessera::cli
