// GatherND and ScatterND: rows of the index tensor name whole blocks of the data.

#include <algorithm>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"

namespace tessera::onnx {
namespace {

/// Where each index row's block begins, blocks of `size` numbers in the shape of the data's axes from `first` on.
struct Placement {
  std::vector<std::size_t> begins;
  std::size_t size = 0;
  int first = 0;
};

/// One row of indices, for the data's axes from `batch` on, as a linear index.
Result<std::int64_t> address(const Call& call, std::span<const std::int64_t> row, int batch) {
  const Dims& dims = call.input(0).dims;
  const Dims strides = strides_of(dims);
  std::int64_t sum = 0;
  for (int i = 0; i < std::ssize(row); ++i) {
    const std::int64_t index = row[static_cast<std::size_t>(i)], extent = dims[batch + i];
    if (index < -extent || index >= extent) return misfit(call.node, "index ", index, " of an axis of ", extent);
    sum += (index < 0 ? index + extent : index) * strides[batch + i];
  }
  return sum;
}

/// How many axes each row of the index tensor names, once they are within the data's.
Result<int> row_length(const Call& call, int batch) {
  const Dims &dims = call.input(0).dims, &where = call.input(1).dims;
  if (call.input(1).kind != Kind::integer || where.count <= batch || dims.count <= batch) {
    return misfit(call.node, "indices ", shown(where), " of ", shown(dims), " in ", batch, " batch axes");
  }
  const std::int64_t length = where[where.count - 1];
  if (length < 1 || length > dims.count - batch || !std::equal(dims.begin(), dims.begin() + batch, where.begin())) {
    return misfit(call.node, "indices ", shown(where), " do not fit ", shown(dims));
  }
  return static_cast<int>(length);
}

Result<Placement> placed(const Call& call, int batch) {
  const Dims &dims = call.input(0).dims, &where = call.input(1).dims;
  const auto length = row_length(call, batch);
  if (!length) return length.error();
  const auto indices = numbers<std::int64_t>(call.input(1));
  const auto each = static_cast<std::size_t>(*length);
  const std::int64_t rows_per_batch = std::max<std::int64_t>(product(where, batch, where.count - 1), 1);
  const std::int64_t batch_size = product(dims, batch, dims.count);
  Placement out;
  out.first = batch + *length;
  out.size = static_cast<std::size_t>(product(dims, out.first, dims.count));
  for (std::size_t row = 0; row < indices.size() / each; ++row) {
    const auto at = address(call, indices.subspan(row * each, each), batch);
    if (!at) return at.error();
    out.begins.push_back(static_cast<std::size_t>(*at + static_cast<std::int64_t>(row) / rows_per_batch * batch_size));
  }
  return out;
}

/// The index tensor's axes but the last, then the block's.
Dims result_dims(const Call& call, int first) {
  const Dims &dims = call.input(0).dims, &where = call.input(1).dims;
  Dims out;
  for (int i = 0; i + 1 < where.count; ++i) out.push_back(where[i]);
  for (int i = first; i < dims.count; ++i) out.push_back(dims[i]);
  return out;
}

template <class T>
Tensor gathered(const Tensor& data, const Placement& place, const Dims& dims) {
  std::vector<T> out;
  for (const std::size_t begin : place.begins) {
    const auto block = numbers<T>(data).subspan(begin, place.size);
    out.insert(out.end(), block.begin(), block.end());
  }
  return tensor_of(data.kind, dims, std::move(out));
}

template <class T>
Tensor scattered(const Tensor& data, const Placement& place, const Tensor& updates) {
  const auto x = numbers<T>(data), u = numbers<T>(updates);
  std::vector<T> out(x.begin(), x.end());
  for (std::size_t row = 0; row < place.begins.size(); ++row) {
    std::ranges::copy(u.subspan(row * place.size, place.size), out.data() + place.begins[row]);
  }
  return tensor_of(data.kind, data.dims, std::move(out));
}

}  // namespace

Result<Outputs> evaluate_gather_nd(const Call& call) {
  const std::int64_t batch = call.node.int_or("batch_dims", 0);
  if (batch < 0 || batch >= Dims::kMax) return misfit(call.node, "batch_dims ", batch);
  const auto place = placed(call, static_cast<int>(batch));
  if (!place) return place.error();
  const Dims dims = result_dims(call, place->first);
  if (const auto room = room_for(call.node, dims); !room) return room.error();
  return by_payload(call.input(0), [&](auto zero) -> Result<Outputs> {
    return Outputs{gathered<decltype(zero)>(call.input(0), *place, dims)};
  });
}

Result<Outputs> evaluate_scatter_nd(const Call& call) {
  const Tensor& updates = call.input(2);
  if (call.node.string_or("reduction", "none") != "none") return not_supported(call.node, "a reduction");
  TESSERA_TRY(same_kind(call, call.input(0), updates));
  const auto place = placed(call, 0);
  if (!place) return place.error();
  const Dims dims = result_dims(call, place->first);
  if (updates.dims != dims) return misfit(call.node, "updates are ", shown(updates.dims), ", not ", shown(dims));
  return by_payload(call.input(0), [&](auto zero) -> Result<Outputs> {
    return Outputs{scattered<decltype(zero)>(call.input(0), *place, updates)};
  });
}

}  // namespace tessera::onnx
