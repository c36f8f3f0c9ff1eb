// Scanning, route by route: bytes per second of what the route must touch, and the share of the bandwidth with which
// this machine reads memory as large as the head's tensors, measured in the same run. Before a scanner is timed its
// candidates are compared with the scalar one's.

#include <benchmark/benchmark.h>

#include <cstring>
#include <functional>

#include "boxdecode/heads.h"
#include "boxdecode/read.h"
#include "boxdecode/scan_run.h"
#include "boxdecode/suites.h"
#include "boxdecode/yardstick.h"

namespace tessera::boxdecode::bench {
namespace {

using testing::Case;

struct Routed {
  const char* name;
  std::function<Case()> make;
};

std::size_t element(const InputPlan& input) { return static_cast<std::size_t>(element_size(input.dtype)); }

/// What a scan must touch of one tensor: a line per lone value, all of what is adjacent, whole groups.
double plane_bytes(const HeadPlan& head, const InputPlan& input) {
  const double cells = static_cast<double>(head.h) * head.w;
  if (input.blocked) return cells * static_cast<double>(input.tiles.group_bytes());
  return cells * static_cast<double>(element(input));
}

double head_bytes(const HeadPlan& head) {
  if (head.slot_channels != 0) {  // combined: the objectness of each slot
    const double cells = static_cast<double>(head.h) * head.w * head.grid.slots;
    return cells * (head.score.blocked ? static_cast<double>(head.score.tiles.group_bytes()) : 64.0);
  }
  if (head.objectness.bound()) return plane_bytes(head, head.objectness);
  if (head.score.blocked) return static_cast<double>(head.score.tiles.bytes());
  return plane_bytes(head, head.score) * static_cast<double>(head.score.channels);
}

/// Class bytes of what survives the objectness gate; with pair heads they are part of the head.
double touched_bytes(const ScanRun& run) {
  double bytes = 0, per_candidate = 0;
  for (const HeadPlan& head : run.plan().heads) {
    bytes += head_bytes(head);
    const bool gated = head.slot_channels != 0 || head.objectness.bound();
    if (gated) per_candidate = static_cast<double>(run.plan().classes) * static_cast<double>(element(head.score));
  }
  return bytes + per_candidate * run.count();
}

std::size_t all_bytes(const Case& c) {
  std::size_t bytes = 0;
  for (const auto& input : c.bytes) bytes += input.size();
  return bytes;
}

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Candidate)) == 0);
}

std::vector<Candidate> scalar_candidates(Case c) {
  c.scanner = "scalar";
  ScanRun run(c);
  run();
  return run.sorted();
}

void scan(benchmark::State& state, const Routed& route, const std::string& scanner, float threshold) {
  Case c = route.make();
  c.params.detection_threshold = threshold;
  c.scanner = scanner;
  ScanRun run(c);
  run();
  if (!same(run.sorted(), scalar_candidates(c))) return state.SkipWithError("candidates differ from the scalar ones");
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  const double bytes = touched_bytes(run), bandwidth = read_bandwidth(all_bytes(c));
  const auto rate = [&](double per_run) {
    return benchmark::Counter(per_run * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  };
  state.counters["touched"] = bytes;
  state.counters["candidates"] = run.count();
  state.counters["GB/s"] = rate(bytes * 1e-9);
  state.counters["read_GB/s"] = bandwidth * 1e-9;
  state.counters["share"] = rate(bytes / bandwidth);
}

std::vector<Routed> routes() {
  using enum Memory;
  const DType f32 = DType::Float32, bf16 = DType::BFloat16, s8 = DType::Int8;
  return {
      {"CombinedDense/f32", [=] { return combined_case(f32, dense); }},
      {"CombinedDense/bf16", [=] { return combined_case(bf16, dense); }},
      {"CombinedDense/s8", [=] { return combined_case(s8, dense); }},
      {"CombinedPacked/bf16", [=] { return combined_case(bf16, blocked); }},
      {"CombinedPacked/s8", [=] { return combined_case(s8, blocked); }},
      {"DenseFloat/f32", [=] { return pair_case(f32, dense, kClasses); }},
      {"DenseGeneric/bf16", [=] { return pair_case(bf16, dense, kClasses); }},
      {"DenseGeneric/s8", [=] { return pair_case(s8, dense, kClasses); }},
      {"DenseSingleBF16/bf16", [=] { return pair_case(bf16, dense, 1); }},
      {"PackedSingleBF16/bf16", [=] { return pair_case(bf16, blocked, 1); }},
      {"PackedStripeBF16/bf16", [=] { return pair_case(bf16, blocked, kClasses); }},
      {"PackedFullInt8/s8", [=] { return pair_case(s8, blocked, kClasses); }},
      {"PackedPartialInt8/s8", [=] { return pair_case(s8, blocked, kClasses, 40); }},
      {"PackedPartialInt8Singleton/s8", [=] { return pair_case(s8, blocked, kClasses, 17); }},
      {"ObjectnessDense/f32", [=] { return objectness_case(f32, dense); }},
      {"ObjectnessDense/bf16", [=] { return objectness_case(bf16, dense); }},
      {"ObjectnessPacked/bf16", [=] { return objectness_case(bf16, blocked); }},
      {"ObjectnessPacked/s8", [=] { return objectness_case(s8, blocked); }},
  };
}

}  // namespace

// At 0.25 the photo's candidates are evaluated too; at 0.9999 next to nothing but the scan is left.
void register_routes(const std::vector<std::string>& scanners) {
  for (const Routed& route : routes()) {
    for (const float threshold : {0.25f, 0.9999f}) {
      for (const std::string& scanner : scanners) {
        const std::string name =
            std::string("scan/") + route.name + (threshold < 0.5f ? "/T=0.25/" : "/T=0.9999/") + scanner;
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { scan(s, route, scanner, threshold); });
      }
    }
  }
}

}  // namespace tessera::boxdecode::bench
