#pragma once
// Scanner routes: how a head's slots are visited. A route turns one image's window of one head into candidates.

#include <cstddef>
#include <cstdint>
#include <span>

#include "boxdecode/plan.h"
#include "boxdecode/select/rank.h"
#include "boxdecode/select/store.h"

namespace tessera::boxdecode {

/// The cells of one image: rows [y, y + h), columns [x, x + w) of the head. Without a mosaic, all of them.
struct Window {
  std::int32_t y = 0, x = 0, h = 0, w = 0;
};

struct ScanJob {
  const PlanData& plan;
  const HeadPlan& head;
  std::span<const std::span<const std::byte>> inputs;
  Window window;
  RankRules rank;
  CandidateStore& store;
};

using ScanRoute = void(const ScanJob& job) noexcept;

struct RouteInfo {
  Route route;
  Head::Kind kind;
  DType dtype;
  bool multi_label;
  ScanRoute* scan;
};

/// Every combination that can be scanned; routes.cc.
std::span<const RouteInfo> routes() noexcept;
/// nullptr when nothing scans it.
const RouteInfo* find_route(Head::Kind kind, DType dtype, bool multi_label) noexcept;

// combined_dense.cc: E is F32, BF16 or S8.
template <class E>
void scan_combined_dense(const ScanJob& job) noexcept;
template <class E>
void scan_combined_dense_multi_label(const ScanJob& job) noexcept;

}  // namespace tessera::boxdecode
