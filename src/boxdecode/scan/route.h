#pragma once
// Scanner routes: how a head's slots are visited. A route turns one image's window of one head into candidates.

#include <cstddef>
#include <cstdint>
#include <span>

#include "boxdecode/plan.h"
#include "boxdecode/select/rank.h"
#include "boxdecode/select/store.h"

namespace tessera::boxdecode {

struct ScanJob {
  const PlanData& plan;
  const HeadPlan& head;
  std::span<const std::span<const std::byte>> inputs;
  Window window;
  RankRules rank;
  CellScratch cells;
  CandidateStore& store;

  const std::byte* data(const InputPlan& input) const noexcept {
    return inputs[static_cast<std::size_t>(input.port)].data();
  }
};

using ScanRoute = void(const ScanJob& job) noexcept;

/// The route of a head whose inputs, classes and kind are set.
struct ChosenRoute {
  Route route;
  ScanRoute* scan;
  bool cell_scratch;  ///< needs CellScratch
};
ChosenRoute choose_route(const HeadPlan& head, Head::Kind kind, bool multi_label) noexcept;

// One file each. E is F32, BF16 or S8 in dense memory, BF16 or S8 in blocked memory.
template <class E>
void scan_combined_dense(const ScanJob& job) noexcept;
template <class E>
void scan_combined_packed(const ScanJob& job) noexcept;
template <class E>
void scan_dense_generic(const ScanJob& job) noexcept;
template <class E>
void scan_dense_multi_label(const ScanJob& job) noexcept;
ScanRoute scan_dense_single_bf16;
ScanRoute scan_packed_single_bf16;
ScanRoute scan_packed_stripe_bf16;
ScanRoute scan_packed_full_int8;
ScanRoute scan_packed_partial_int8;
ScanRoute scan_packed_partial_int8_singleton;
template <class E>
void scan_packed_multi_label(const ScanJob& job) noexcept;
template <class E>
void scan_objectness_dense(const ScanJob& job) noexcept;
template <class E>
void scan_objectness_packed(const ScanJob& job) noexcept;

}  // namespace tessera::boxdecode
