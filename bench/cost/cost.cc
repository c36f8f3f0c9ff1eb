// tessera_cost MODEL [SIZE [BATCH [THREADS [SECONDS [CACHE]]]]]: one model from its file to its answers, as JSON.
//
//   load_ms plan_ms first_ms   reading and checking the file; kernels chosen, weights packed, memory laid out; the
//   first run median_ms min_ms           of the runs after it, for SECONDS and at least three; none at SECONDS = 0
//   before_mib peak_mib        resident memory of this process before the model, and the most until the end
//   own_mib                    of what is resident after the runs, what no file backs
//   mapped_bytes               packed weights that were found in the directory CACHE (PrepareOptions::weights_cache)
//
// SIZE 0 and BATCH 1 are the model's own. The input is zeros: no kernel's time depends on the numbers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "device/device.h"
#include "model/load.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// "VmRSS", "VmHWM", "RssAnon" of /proc/self/status; 0 where there is none.
double resident_mib(const std::string& which) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kib = 0;
    if (word == which + ":" && file >> kib) return kib / 1024;
  }
  return 0;
}

struct Wish {
  std::string model, cache;
  int size = 0, batch = 1, threads = 1;
  double seconds = 0;
};

struct Figures {
  double load_ms = 0, plan_ms = 0, first_ms = 0;
  double own_mib = 0;
  std::vector<double> times_ms;
  std::int64_t arena_bytes = 0, weight_bytes = 0, mapped_bytes = 0, macs = 0;
};

Status set_batch(Graph& graph, int batch) {
  for (const ValueId id : graph.inputs) {
    const Extents e = extents(graph.value(id).spec);
    graph.value(id).spec.shape = {batch, e.h, e.w, e.c};
  }
  return infer_shapes(graph);
}

std::int64_t total_macs(const Graph& graph) {
  std::int64_t sum = 0;
  for (const Node& node : graph.nodes) sum += macs(graph, node);
  return sum;
}

void time_runs(ExecutionContext& context, ThreadPool& pool, double seconds, Figures& out) {
  const auto run = [&] {
    const auto start = Clock::now();
    context.run(pool);
    return ms_since(start);
  };
  out.first_ms = run();
  for (const auto start = Clock::now(); seconds > 0 && (out.times_ms.size() < 3 || ms_since(start) < 1e3 * seconds);) {
    out.times_ms.push_back(run());
  }
}

Result<Figures> measure(const Wish& wish) {
  Figures out;
  const auto start = Clock::now();
  LoadOptions options{.model = wish.model};
  if (wish.size > 0) options.size = InputSize{wish.size, wish.size};
  auto model = load_model(options);
  if (!model) return model.error();
  out.load_ms = ms_since(start);
  TESSERA_TRY(set_batch(model->graph, wish.batch));
  out.macs = total_macs(model->graph);
  const auto loaded = Clock::now();
  const auto executable =
      Executable::prepare(std::move(model->graph), {.threads = wish.threads, .weights_cache = wish.cache});
  if (!executable) return executable.error();
  auto context = ExecutionContext::create(*executable, wish.threads);
  if (!context) return context.error();
  out.plan_ms = ms_since(loaded);
  out.arena_bytes = (*executable)->memory().arena_bytes;
  out.weight_bytes = (*executable)->weight_bytes();
  out.mapped_bytes = (*executable)->mapped_weight_bytes();
  ThreadPool pool(wish.threads);
  time_runs(*context, pool, wish.seconds, out);
  out.own_mib = resident_mib("RssAnon");
  return out;
}

void print(Figures figures, double before_mib) {
  std::printf("{\"load_ms\": %.2f, \"plan_ms\": %.2f, \"first_ms\": %.2f, ", figures.load_ms, figures.plan_ms,
              figures.first_ms);
  std::ranges::sort(figures.times_ms);
  if (!figures.times_ms.empty()) {
    std::printf("\"median_ms\": %.4f, \"min_ms\": %.4f, ", figures.times_ms[figures.times_ms.size() / 2],
                figures.times_ms.front());
  }
  std::printf(
      "\"before_mib\": %.1f, \"peak_mib\": %.1f, \"own_mib\": %.1f, \"arena_bytes\": %lld, \"weight_bytes\": %lld, "
      "\"mapped_bytes\": %lld, \"macs\": %lld}\n",
      before_mib, resident_mib("VmHWM"), figures.own_mib, static_cast<long long>(figures.arena_bytes),
      static_cast<long long>(figures.weight_bytes), static_cast<long long>(figures.mapped_bytes),
      static_cast<long long>(figures.macs));
}

int run(int argc, char** argv) {
  if (argc < 2 || argc > 7) {
    std::fprintf(stderr, "usage: tessera_cost MODEL [SIZE [BATCH [THREADS [SECONDS [CACHE]]]]]\n");
    return 2;
  }
  Wish wish{.model = argv[1]};
  if (argc > 2) wish.size = std::atoi(argv[2]);
  if (argc > 3) wish.batch = std::atoi(argv[3]);
  if (argc > 4) wish.threads = std::atoi(argv[4]);
  if (argc > 5) wish.seconds = std::atof(argv[5]);
  if (argc > 6) wish.cache = argv[6];
  const double before_mib = resident_mib("VmRSS");
  const auto figures = measure(wish);
  if (!figures) {
    std::fprintf(stderr, "tessera_cost: %s\n", figures.error().message.c_str());
    return 1;
  }
  print(*figures, before_mib);
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) { return tessera::run(argc, argv); }
