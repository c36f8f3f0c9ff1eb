// Selection at the evaluator's setting, and the whole step: decoding, selection and mapping of one m640 canvas.

#include <benchmark/benchmark.h>

#include <algorithm>

#include "boxdecode/heads.h"
#include "boxdecode/scan_run.h"
#include "boxdecode/suites.h"
#include "tensor/npy.h"

namespace tessera::boxdecode::bench {
namespace {

using testing::Case;

/// Every class above 0.001 is a candidate; nothing is capped but the candidates themselves (30,000).
Case evaluator_case() {
  Case c = combined_case(DType::Float32, Memory::dense);
  c.params.detection_threshold = 0.001f;
  c.params.multi_label = true;
  c.params.max_detections = 65'536;
  c.fit_outputs();
  return c;
}

/// The preset m640: four photos on one canvas, box-step v2.
Case m640_case() {
  Case c = combined_case(DType::Float32, Memory::dense);
  Params& p = c.params;
  p.mosaic = {2, 2};
  p.original_image_size = {640, 480};
  p.multi_label = true;
  p.detection_threshold = 0.001f;
  p.max_per_class = 100;
  p.rank_rule = RankRule::PowerHalf125;
  p.voting = Voting{};
  p.edge_penalty = EdgePenalty{};
  c.fit_outputs();
  return c;
}

/// Candidates as scanning leaves them, and memory for selecting among them again and again.
class Selection {
 public:
  Selection() : run_(evaluator_case()) {
    run_();
    met_ = run_.sorted();
    std::ranges::sort(met_, {}, &Candidate::ordinal);
    kept_.resize(met_.size());
    newest_.resize(static_cast<std::size_t>(run_.plan().classes));
    counts_.resize(newest_.size());
  }
  /// Sorting as far as needed and NMS. The copy that undoes the last run's sorting is part of the time.
  std::uint32_t select_all() {
    candidates_ = met_;
    SelectionOrder order(candidates_.data(), static_cast<std::uint32_t>(candidates_.size()));
    return select(order, run_.plan().nms, {kept_.data(), newest_.data(), counts_.data()});
  }
  const std::vector<Candidate>& met() const { return met_; }
  const Candidate& kept(std::uint32_t i) const { return candidates_[kept_[i].candidate]; }

 private:
  ScanRun run_;
  std::vector<Candidate> met_, candidates_;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> newest_, counts_;
};

void select_candidates(benchmark::State& state) {
  Selection selection;
  std::uint32_t kept = 0;
  for (auto _ : state) {
    kept = selection.select_all();
    benchmark::ClobberMemory();
  }
  state.counters["candidates"] = static_cast<double>(selection.met().size());
  state.counters["kept"] = kept;
}

void whole_step(benchmark::State& state, const std::string& scanner) {
  Case c = m640_case();
  c.scanner = scanner;
  testing::Bound bound(c);
  ExecStats stats;
  for (auto _ : state) {
    if (!execute(bound.context, bound.bindings(), &stats)) state.SkipWithError("refused");
    benchmark::ClobberMemory();
  }
  state.counters["candidates"] = static_cast<double>(stats.candidates_seen);
  const auto counts = testing::ints(bound.output_bytes[3]);
  state.counters["kept"] = counts[0] + counts[1] + counts[2] + counts[3];
}

}  // namespace

void register_steps(const std::vector<std::string>& scanners) {
  benchmark::RegisterBenchmark("select/T=0.001", select_candidates)->Unit(benchmark::kMicrosecond);
  for (const std::string& scanner : scanners) {
    benchmark::RegisterBenchmark(("step/m640/" + scanner).c_str(), [=](benchmark::State& s) {
      whole_step(s, scanner);
    })->Unit(benchmark::kMicrosecond);
  }
}

bool dump_selection(const std::string& folder) {
  Selection selection;
  const std::uint32_t kept = selection.select_all();
  std::vector<float> rows, indices;
  for (const Candidate& c : selection.met()) {
    const float row[] = {c.box.x1, c.box.y1, c.box.x2, c.box.y2, c.score(), static_cast<float>(c.class_id)};
    rows.insert(rows.end(), std::begin(row), std::end(row));
  }
  for (std::uint32_t i = 0; i < kept; ++i) {
    const auto at = std::ranges::lower_bound(selection.met(), selection.kept(i).ordinal(), {}, &Candidate::ordinal);
    indices.push_back(static_cast<float>(at - selection.met().begin()));
  }
  const auto n = static_cast<std::int64_t>(selection.met().size());
  return write_npy(folder + "/candidates.npy", Shape{n, 6}, rows).has_value() &&
         write_npy(folder + "/kept.npy", Shape{static_cast<std::int64_t>(kept)}, indices).has_value();
}

}  // namespace tessera::boxdecode::bench
