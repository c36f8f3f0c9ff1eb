#include "bench/ladder_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure.h"
#include "common/interrupt.h"
#include "common/progress.h"

namespace tessera::cli {
namespace {

constexpr int kRounds = 5;
constexpr double kSlowMs = 2000;

/// A rung made ready: alive for one round.
struct Ready {
  std::shared_ptr<const Executable> executable;
  ExecutionContext context;
  ThreadPool pool;

  Ready(std::shared_ptr<const Executable> e, ExecutionContext c)
      : executable(std::move(e)), context(std::move(c)), pool(executable->options().threads) {}

  double run() {
    fill_inputs(*executable, context);
    return milliseconds([this] { context.run(pool); });
  }
};

Result<std::unique_ptr<Ready>> make_ready(const Graph& graph, const PrepareOptions& options) {
  auto executable = Executable::prepare(graph, options);
  if (!executable) return executable.error();
  auto context = ExecutionContext::create(*executable, options.threads);
  if (!context) return context.error();
  return std::make_unique<Ready>(*std::move(executable), *std::move(context));
}

// The run that may take minutes: its bar counts operations, and shows once a second has passed.
double first_run(Ready& ready, const Rung& rung, Io& io) {
  const Graph& graph = ready.executable->graph();
  const double total = 2e-9 * static_cast<double>(total_macs(graph));
  fill_inputs(*ready.executable, ready.context);
  Progress progress(io, "GFLOP", total);
  double done = 0;
  const double taken = milliseconds([&] {
    ready.context.run_observed(ready.pool, [&](std::size_t node, const TensorRef&) {
      done += 2e-9 * static_cast<double>(macs(graph, graph.nodes[node]));
      if (progress.seconds() > 1) progress.update(done);
    });
  });
  io.clear_line();
  if (taken > kSlowMs) io.note(fmt::format("{}: {:.1f} s, run once and not warmed up", rung.name, taken / 1000));
  return taken;
}

class LadderRun {
 public:
  LadderRun(const Graph& graph, int runs, Io& io) : graph_(graph), runs_(runs), io_(io) {}

  Status round(int index, RungTimes& rung) {
    if (rung.once) return {};
    auto ready = make_ready(graph_, rung.rung.options);
    if (!ready) return ready.error();
    if (index == 0) {
      first_round(**ready, rung);
    } else {
      (*ready)->run();
    }
    for (int i = 0; i < runs_in(index) && !rung.once; ++i) {
      if (interrupted()) return Error{Code::cancelled, "stopped before all rungs were timed"};
      rung.times_ms.push_back((*ready)->run());
    }
    return {};
  }

  int rounds() const { return std::min(runs_, kRounds); }

 private:
  int runs_in(int round) const { return runs_ / rounds() + (round < runs_ % rounds() ? 1 : 0); }

  void first_round(Ready& ready, RungTimes& rung) {
    const double taken = first_run(ready, rung.rung, io_);
    Outputs outputs = read_outputs(*ready.executable, ready.context);
    if (first_.empty()) first_ = std::move(outputs);
    rung.difference = outputs.empty() ? Difference{} : difference(first_, outputs);
    rung.once = taken > kSlowMs;
    if (rung.once) rung.times_ms = {taken};
  }

  const Graph& graph_;
  int runs_;
  Io& io_;
  Outputs first_;
};

void warn_of_naive(const Graph& graph, Io& io) {
  const double gflop = 2e-9 * static_cast<double>(total_macs(graph));
  if (gflop < 3) return;  // seconds
  io.note(fmt::format("the naive rungs compute {:.1f} GFLOP on plain loops: that may take minutes", gflop));
}

}  // namespace

Result<LadderTimes> run_ladder(const Graph& graph, Ladder ladder, int runs, Io& io) {
  LadderTimes out;
  for (Rung& rung : ladder.climb) out.climb.push_back({std::move(rung), {}, false, {}});
  for (Rung& rung : ladder.alone) out.alone.push_back({std::move(rung), {}, false, {}});
  std::vector<RungTimes*> all;
  for (RungTimes& rung : out.climb) all.push_back(&rung);
  for (RungTimes& rung : out.alone) all.push_back(&rung);

  warn_of_naive(graph, io);
  LadderRun run(graph, runs, io);
  Progress progress(io, "rungs", static_cast<double>(all.size()) * run.rounds());
  double done = 0;
  for (int round = 0; round < run.rounds(); ++round) {
    for (RungTimes* rung : all) {
      if (auto status = run.round(round, *rung); !status.has_value()) {
        io.clear_line();
        return status.error();
      }
      progress.update(++done);
    }
  }
  io.clear_line();
  return out;
}

}  // namespace tessera::cli
