#pragma once
// The functions behind the table in evaluate.cc, by file. Where one serves several operators, node.op says which.

#include "model/onnx/evaluate/call.h"

namespace tessera::onnx {

// along.cc
Evaluator evaluate_softmax, evaluate_arg, evaluate_cum_sum;
// binary.cc
Evaluator evaluate_binary, evaluate_pow, evaluate_prelu;
// cast.cc
Evaluator evaluate_cast;
// compare.cc
Evaluator evaluate_compare, evaluate_where;
// gather.cc, gather_nd.cc
Evaluator evaluate_gather, evaluate_gather_elements, evaluate_gather_nd, evaluate_scatter_nd;
// join.cc
Evaluator evaluate_concat;
// make.cc
Evaluator evaluate_constant, evaluate_constant_of_shape, evaluate_range, evaluate_shape, evaluate_size,
    evaluate_identity, evaluate_dropout;
// matmul.cc
Evaluator evaluate_matmul, evaluate_gemm, evaluate_conv;
// reduce.cc
Evaluator evaluate_reduce;
// reshape.cc
Evaluator evaluate_reshape, evaluate_flatten, evaluate_squeeze, evaluate_unsqueeze;
// select.cc
Evaluator evaluate_top_k, evaluate_non_zero;
// unary.cc
Evaluator evaluate_unary, evaluate_clip;
// variadic.cc
Evaluator evaluate_variadic;
// views.cc
Evaluator evaluate_transpose, evaluate_slice, evaluate_split, evaluate_expand, evaluate_tile, evaluate_pad,
    evaluate_depth_space;

}  // namespace tessera::onnx
