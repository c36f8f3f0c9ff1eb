#include "graph/ops/strided.h"

namespace tessera {
namespace {

// Where one operand's matrices begin, and the rows and columns of each.
Status check_operand(const Node& node, const char* what, const Dims& strides, const Dims& matrix,
                     const Extents& input) {
  const Dims row_major{matrix[1], 1};
  return check_addresses(node, what, {{std::get<MatMulAttrs>(node.attrs).batch, strides}, {matrix, row_major}}, 0,
                         elements(input));
}

}  // namespace

Result<Extents> infer_matmul(const Node& node, std::span<const Extents> inputs) {
  const auto& mat = std::get<MatMulAttrs>(node.attrs);
  const auto out = stated_shape(node, mat.shape);
  if (!out) return out;
  for (const Dims& dims : {Dims{mat.m, mat.k}, Dims{mat.k, mat.n}, Dims{mat.m, mat.n}}) {
    if (const auto size = places(node, "a matrix", dims); !size) return size.error();
  }
  const auto batches = places(node, "the batch", mat.batch);
  if (!batches) return batches.error();
  if (*batches > kMaxElements / (mat.m * mat.n) || *batches * mat.m * mat.n != elements(*out)) {
    return op_error(node, *batches, " products of ", mat.m, "x", mat.n, " are not the stated shape ", to_string(*out));
  }
  TESSERA_TRY(check_operand(node, "input a", mat.a_strides, {mat.m, mat.k}, inputs[0]));
  TESSERA_TRY(check_operand(node, "input b", mat.b_strides, {mat.k, mat.n}, inputs[1]));
  return out;
}

std::int64_t macs_matmul(const Node& node, Extents output) {
  return elements(output) * std::get<MatMulAttrs>(node.attrs).k;  // at most 2^31 times 2^31
}

}  // namespace tessera
