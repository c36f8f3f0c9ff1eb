#include "boxdecode/yardstick.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

namespace tessera::boxdecode::bench {
namespace {

using Register = unsigned long long __attribute__((vector_size(16)));

/// Eight independent sums, 128 bytes per step: nothing but loads limits it.
void read_all(const std::vector<Register>& memory) {
  Register sums[8] = {};
  for (std::size_t i = 0; i + 8 <= memory.size(); i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += memory[i + k];
  }
  for (Register& sum : sums) benchmark::DoNotOptimize(sum);
}

double measure(std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Register> memory(bytes / sizeof(Register) + 8, Register{1, 2});
  double best = 1e9;
  const auto end = Clock::now() + std::chrono::milliseconds(200);
  while (Clock::now() < end) {
    const auto from = Clock::now();
    read_all(memory);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - from).count());
  }
  return static_cast<double>(bytes) / best;
}

}  // namespace

double read_bandwidth(std::size_t bytes) {
  static std::map<std::size_t, double> known;
  const auto [at, is_new] = known.try_emplace(bytes, 0.0);
  if (is_new) at->second = measure(bytes);
  return at->second;
}

}  // namespace tessera::boxdecode::bench
