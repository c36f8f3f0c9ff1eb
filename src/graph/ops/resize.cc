#include <algorithm>

#include "graph/ops/strided.h"

namespace tessera {
namespace {

struct Table {
  const char* axis;  ///< "height"
  const std::vector<std::int32_t>&lo, &hi;
  const std::vector<float>& weight;
  std::int64_t in, out;
};

Status check_indices(const Node& node, const Table& table, const std::vector<std::int32_t>& indices) {
  const auto bad = std::ranges::find_if(indices, [&](std::int32_t i) { return i < 0 || i >= table.in; });
  if (bad == indices.end()) return {};
  return op_error(node, table.axis, ": reads line ", *bad, " of ", table.in);
}

Status check_table(const Node& node, ResizeKind kind, const Table& table) {
  const auto want = static_cast<std::size_t>(table.out), others = kind == ResizeKind::linear ? want : 0;
  if (table.lo.size() != want || table.hi.size() != others || table.weight.size() != others) {
    return op_error(node, table.axis, ": tables of ", table.lo.size(), ", ", table.hi.size(), " and ",
                    table.weight.size(), " entries, want ", want, ", ", others, " and ", others);
  }
  TESSERA_TRY(check_indices(node, table, table.lo));
  TESSERA_TRY(check_indices(node, table, table.hi));
  const auto bad = std::ranges::find_if(table.weight, [](float w) { return w - w != 0; });
  if (bad == table.weight.end()) return {};
  return op_error(node, table.axis, ": a weight is ", *bad, ", want finite numbers");
}

}  // namespace

Result<Extents> infer_resize(const Node& node, std::span<const Extents> inputs) {
  const auto& r = std::get<ResizeAttrs>(node.attrs);
  const Extents& in = inputs[0];
  const auto out = stated_shape(node, r.shape);
  if (!out) return out;
  if (out->n != in.n || out->c != in.c) {
    return op_error(node, "makes ", to_string(*out), " from ", to_string(in), ", want the same batch and channels");
  }
  TESSERA_TRY(check_table(node, r.kind, {"height", r.y_lo, r.y_hi, r.y_w, in.h, out->h}));
  TESSERA_TRY(check_table(node, r.kind, {"width", r.x_lo, r.x_hi, r.x_w, in.w, out->w}));
  return out;
}

}  // namespace tessera
