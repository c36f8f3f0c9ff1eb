#include "boxdecode/scan_run.h"

#include <algorithm>
#include <utility>

namespace tessera::boxdecode::bench {

ScanRun::ScanRun(testing::Case c)
    : case_(std::move(c)),
      plan_(check_inference(case_.request()).value().data()),
      inputs_(case_.views()),
      candidates_(2 * std::size_t{plan_->limit}),
      cells_(2 * static_cast<std::size_t>(plan_->scratch_cells)) {}

void ScanRun::operator()() noexcept {
  CandidateStore store(candidates_.data(), plan_->limit);
  const CellScratch cells{cells_.data(), cells_.data() + plan_->scratch_cells};
  for (const HeadPlan& head : plan_->heads) {
    head.scan({*plan_, head, inputs_, {0, 0, head.h, head.w}, RankRules{}, cells, store});
  }
  count_ = store.finish();
}

std::vector<Candidate> ScanRun::sorted() const {
  std::vector<Candidate> out(candidates_.begin(), candidates_.begin() + count_);
  std::ranges::sort(out, {}, &Candidate::order);
  return out;
}

}  // namespace tessera::boxdecode::bench
