// Which route scans a head.

#include "boxdecode/numbers.h"
#include "boxdecode/scan/route.h"

namespace tessera::boxdecode {
namespace {

using Kind = Head::Kind;

/// A scan function per element type; nullptr where there is none (blocked Float32).
struct ByElement {
  ScanRoute *f32, *bf16, *s8;

  ScanRoute* of(DType dtype) const noexcept {
    return dtype == DType::BFloat16 ? bf16 : (dtype == DType::Int8 ? s8 : f32);
  }
};

constexpr ByElement kCombinedDense = {scan_combined_dense<F32>, scan_combined_dense<BF16>, scan_combined_dense<S8>};
constexpr ByElement kCombinedPacked = {nullptr, scan_combined_packed<BF16>, scan_combined_packed<S8>};
constexpr ByElement kObjectnessDense = {scan_objectness_dense<F32>, scan_objectness_dense<BF16>,
                                        scan_objectness_dense<S8>};
constexpr ByElement kObjectnessPacked = {nullptr, scan_objectness_packed<BF16>, scan_objectness_packed<S8>};
constexpr ByElement kDense = {scan_dense_generic<F32>, scan_dense_generic<BF16>, scan_dense_generic<S8>};
constexpr ByElement kDenseMultiLabel = {scan_dense_multi_label<F32>, scan_dense_multi_label<BF16>,
                                        scan_dense_multi_label<S8>};
constexpr ByElement kPackedMultiLabel = {nullptr, scan_packed_multi_label<BF16>, scan_packed_multi_label<S8>};

/// A channel tile whose last stripe has one active lane.
bool has_singleton(const BlockedAddress& tiles) noexcept {
  const bool among_full = tiles.channel_tiles() > 1 && tiles.tile_c % kLanes == 1;
  return among_full || tiles.tile_channels(tiles.channel_tiles() - 1) % kLanes == 1;
}

ChosenRoute pair_route(const InputPlan& score) noexcept {
  if (!score.blocked) {
    if (score.dtype == DType::Float32) return {Route::DenseFloat, kDense.f32, false};
    if (score.dtype == DType::BFloat16 && score.channels == 1) {
      return {Route::DenseSingleBF16, scan_dense_single_bf16, false};
    }
    return {Route::DenseGeneric, kDense.of(score.dtype), false};
  }
  if (score.dtype == DType::BFloat16) {
    if (score.channels == 1) return {Route::PackedSingleBF16, scan_packed_single_bf16, false};
    return {Route::PackedStripeBF16, scan_packed_stripe_bf16, true};
  }
  if (score.tiles.full()) return {Route::PackedFullInt8, scan_packed_full_int8, true};
  if (has_singleton(score.tiles)) {
    return {Route::PackedPartialInt8Singleton, scan_packed_partial_int8_singleton, true};
  }
  return {Route::PackedPartialInt8, scan_packed_partial_int8, true};
}

// These walk slots one by one and serve both labellings.
ChosenRoute slot_route(const InputPlan& score, Kind kind, bool multi_label) noexcept {
  const bool combined = kind == Kind::Combined;
  const ByElement& scans =
      score.blocked ? (combined ? kCombinedPacked : kObjectnessPacked) : (combined ? kCombinedDense : kObjectnessDense);
  const Route route = score.blocked ? (combined ? Route::CombinedPacked : Route::ObjectnessPacked)
                                    : (combined ? Route::CombinedDense : Route::ObjectnessDense);
  return {multi_label ? Route::MultiLabelGeneric : route, scans.of(score.dtype), false};
}

}  // namespace

ChosenRoute choose_route(const HeadPlan& head, Kind kind, bool multi_label) noexcept {
  if (kind != Kind::Pair) return slot_route(head.score, kind, multi_label);
  if (!multi_label) return pair_route(head.score);
  const ByElement& scans = head.score.blocked ? kPackedMultiLabel : kDenseMultiLabel;
  return {Route::MultiLabelGeneric, scans.of(head.score.dtype), false};
}

}  // namespace tessera::boxdecode
