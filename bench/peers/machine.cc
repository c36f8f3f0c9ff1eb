// tessera_machine: what this machine can do at this moment, as JSON, so that a figure beside it can name its share.
//
//   f32_gflops    multiply-adds in registers, by number of threads; each thread on a processor of its own
//   roundtrip_ns  a cache line from one core to another and back; null with one processor. Shared hosts place two
//                 virtual processors near each other (tens of ns) or far apart (hundreds), and two-thread times follow.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "base/cpu_features.h"
#include "kernels/gemm/peak.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

/// The numbers of the processors that this process may run on.
std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> numbers;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return numbers;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) numbers.push_back(cpu);
  }
  return numbers;
}

/// Keeps the calling thread on one processor. Where that is refused, the figure is of wherever the thread runs.
void stay_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// The multiply-add loop of the best level that has one; avx512_vnni and avx512_bf16 add nothing to f32.
Isa peak_isa(const CpuInfo& cpu) {
  for (Isa isa : {Isa::avx512, Isa::avx2}) {
    if (cpu.supports(isa) && peak_loop(isa).run) return isa;
  }
  return Isa::none;
}

/// GFLOP/s of all threads together in one burst, from the first start to the last end.
double burst(PeakLoop loop, const std::vector<int>& cpus, int calls) {
  std::atomic<int> waiting{static_cast<int>(cpus.size())};
  std::vector<Clock::time_point> starts(cpus.size()), ends(cpus.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    threads.emplace_back([&, i] {
      stay_on(cpus[i]);
      loop.run();  // wakes the wide units
      --waiting;
      while (waiting.load() > 0) {
      }
      starts[i] = Clock::now();
      for (int call = 0; call < calls; ++call) loop.run();
      ends[i] = Clock::now();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = seconds_between(*std::ranges::min_element(starts), *std::ranges::max_element(ends));
  return loop.flops * calls * static_cast<double>(cpus.size()) / seconds * 1e-9;
}

/// The best of several bursts of a few milliseconds: a shared host gives the whole machine only now and then.
double f32_gflops(PeakLoop loop, const std::vector<int>& cpus) {
  double best = 0;
  for (int round = 0; round < 12; ++round) best = std::max(best, burst(loop, cpus, 50));
  return best;
}

struct alignas(128) Line {  // two lines: neighbours are fetched in pairs
  std::atomic<int> turn{0};
};

constexpr int kBatches = 21, kTrips = 2000;  // a batch takes well under a millisecond

void answer(std::atomic<int>& turn) {
  for (int trip = 0; trip < kBatches * kTrips; ++trip) {
    while (turn.load(std::memory_order_acquire) != 2 * trip + 1) {
    }
    turn.store(2 * trip + 2, std::memory_order_release);
  }
}

/// The time of each batch's trips, on average, in ns.
std::vector<double> ask(std::atomic<int>& turn) {
  std::vector<double> ns;
  for (int trip = 0; trip < kBatches * kTrips;) {
    const auto start = Clock::now();
    for (const int end = trip + kTrips; trip < end; ++trip) {
      turn.store(2 * trip + 1, std::memory_order_release);
      while (turn.load(std::memory_order_acquire) != 2 * trip + 2) {
      }
    }
    ns.push_back(seconds_between(start, Clock::now()) / kTrips * 1e9);
  }
  return ns;
}

/// Median over batches of the time that a line needs to the other core and back.
double roundtrip_ns(int here, int there) {
  Line line;
  std::vector<double> ns;
  std::thread other([&] { stay_on(there), answer(line.turn); });
  std::thread self([&] { stay_on(here), ns = ask(line.turn); });
  other.join();
  self.join();
  std::ranges::nth_element(ns, ns.begin() + kBatches / 2);
  return ns[kBatches / 2];
}

void print_machine() {
  const CpuInfo cpu = CpuInfo::detect();
  const std::vector<int> cpus = processors();
  const Isa isa = peak_isa(cpu);
  const PeakLoop loop = peak_loop(isa);
  std::printf("{\"processor\": \"%.*s\", \"processors\": %d, \"isa\": \"%s\", \"f32_gflops\": {",
              static_cast<int>(cpu.name().size()), cpu.name().data(), allowed_cpus(), to_string(isa));
  for (std::size_t threads = 1; threads <= std::min<std::size_t>(cpus.size(), 2); ++threads) {
    const double gflops = f32_gflops(loop, {cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(threads)});
    std::printf("%s\"%zu\": %.1f", threads > 1 ? ", " : "", threads, gflops);
  }
  std::printf("}, \"roundtrip_ns\": ");
  cpus.size() > 1 ? std::printf("%.0f}\n", roundtrip_ns(cpus[0], cpus[1])) : std::printf("null}\n");
}

}  // namespace
}  // namespace tessera

int main() { tessera::print_machine(); }
