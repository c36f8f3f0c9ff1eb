#include "boxdecode/numbers.h"
#include "boxdecode/scan/route.h"

namespace tessera::boxdecode {
namespace {

using Kind = Head::Kind;

constexpr RouteInfo kRoutes[] = {
    {Route::CombinedDense, Kind::Combined, DType::Float32, false, scan_combined_dense<F32>},
    {Route::CombinedDense, Kind::Combined, DType::BFloat16, false, scan_combined_dense<BF16>},
    {Route::CombinedDense, Kind::Combined, DType::Int8, false, scan_combined_dense<S8>},
    {Route::MultiLabelGeneric, Kind::Combined, DType::Float32, true, scan_combined_dense_multi_label<F32>},
    {Route::MultiLabelGeneric, Kind::Combined, DType::BFloat16, true, scan_combined_dense_multi_label<BF16>},
    {Route::MultiLabelGeneric, Kind::Combined, DType::Int8, true, scan_combined_dense_multi_label<S8>},
};

}  // namespace

std::span<const RouteInfo> routes() noexcept { return kRoutes; }

const RouteInfo* find_route(Head::Kind kind, DType dtype, bool multi_label) noexcept {
  for (const RouteInfo& route : kRoutes) {
    if (route.kind == kind && route.dtype == dtype && route.multi_label == multi_label) return &route;
  }
  return nullptr;
}

}  // namespace tessera::boxdecode
