#pragma once

#include <memory>
#include <vector>

#include "boxdecode/scan/route.h"
#include "boxdecode/testing/bound.h"

namespace tessera::boxdecode::bench {

/// Scanning alone: every head of a plan, image 0, into a candidate store. No selection, no outputs.
class ScanRun {
 public:
  explicit ScanRun(testing::Case c);
  void operator()() noexcept;
  std::uint32_t count() const { return count_; }
  /// Candidates of the last run in selection order.
  std::vector<Candidate> sorted() const;
  const PlanData& plan() const { return *plan_; }

 private:
  testing::Case case_;
  std::shared_ptr<const PlanData> plan_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint16_t> cells_;
  std::uint32_t count_ = 0;
};

}  // namespace tessera::boxdecode::bench
