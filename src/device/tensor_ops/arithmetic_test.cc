// Operators that compute element by element, and products of matrices.

#include "device/tensor_ops/tensor_cases.h"

namespace tessera::testing {
namespace {

using Function2 = float (*)(float, float);
float prelu(float a, float b) { return a < 0 ? a * b : a; }

Case same_shape(const char* name, BinaryKind kind, Function2 f) {
  const std::int64_t count = 2 * 9 * 11 * 21;
  return {name,
          BinaryAttrs{kind, {}, {count}, {1}, {1}, {2, 9, 11, 21}},
          {{2, 9, 11, 21}, {2, 9, 11, 21}},
          [=](const auto& in) { return made(count, [&](std::int64_t i) { return f(in[0][at(i)], in[1][at(i)]); }); }};
}
Case per_channel(const char* name, BinaryKind kind, Function2 f) {
  return {name,
          BinaryAttrs{kind, {Activation::relu}, {99, 21}, {21, 1}, {0, 1}, {1, 9, 11, 21}},
          {{1, 9, 11, 21}, {1, 1, 1, 21}},
          [=](const auto& in) {
            return made(99 * 21, [&](std::int64_t i) { return std::max(0.0f, f(in[0][at(i)], in[1][at(i % 21)])); });
          }};
}
Case by_scalar() {
  return {"binary_scalar_first",
          BinaryAttrs{BinaryKind::sub, {}, {9 * 21}, {0}, {1}, {1, 3, 3, 21}},
          {{1, 1, 1, 1}, {1, 3, 3, 21}},
          [](const auto& in) { return made(9 * 21, [&](std::int64_t i) { return in[0][0] - in[1][at(i)]; }); }};
}
Case outer_difference() {  // rows of a against columns of b, and b backwards in memory is not asked for
  return {"binary_outer",
          BinaryAttrs{BinaryKind::sub, {}, {7, 18}, {1, 0}, {0, 1}, {1, 1, 7, 18}},
          {{1, 1, 7, 1}, {1, 18, 1, 1}},
          [](const auto& in) {
            return made(7 * 18, [&](std::int64_t i) { return in[0][at(i / 18)] - in[1][at(i % 18)]; });
          }};
}
Case strided_operand() {  // a plus b transposed
  return {"binary_transposed",
          BinaryAttrs{BinaryKind::add, {}, {17, 19}, {19, 1}, {1, 17}, {1, 1, 17, 19}},
          {{1, 1, 17, 19}, {1, 1, 19, 17}},
          [](const auto& in) {
            return made(17 * 19, [&](std::int64_t i) { return in[0][at(i)] + in[1][at(i % 19 * 17 + i / 19)]; });
          }};
}
Case uneven_gaps() {  // axes of 10 over pixels of 4
  return {"binary_across_pixels",
          BinaryAttrs{BinaryKind::mul, {}, {2, 10}, {10, 1}, {0, 1}, {1, 1, 5, 4}},
          {{1, 1, 5, 4}, {1, 1, 5, 2}},
          [](const auto& in) { return made(20, [&](std::int64_t i) { return in[0][at(i)] * in[1][at(i % 10)]; }); }};
}

Case unary(const char* name, UnaryAttrs attrs, float (*f)(float), double tolerance = 0) {
  return {name,
          attrs,
          {{1, 7, 9, 21}},
          [=](const auto& in) { return made(7 * 9 * 21, [&](std::int64_t i) { return f(in[0][at(i)]); }); },
          tolerance};
}

Case select() {
  return {"select",
          SelectAttrs{{6, 20}, {20, 1}, {0, 1}, {1, 0}, {1, 2, 3, 20}},
          {{1, 2, 3, 20}, {1, 1, 1, 20}, {1, 1, 6, 1}},
          [](const auto& in) {
            return made(120, [&](std::int64_t i) { return in[0][at(i)] != 0 ? in[1][at(i % 20)] : in[2][at(i / 20)]; });
          }};
}

Case matmul(const char* name, std::int64_t batch, bool shared, std::int64_t m, std::int64_t k, std::int64_t n) {
  return {name,
          MatMulAttrs{{batch}, {m * k}, {shared ? 0 : k * n}, m, k, n, {1, batch, m, n}},
          {{1, batch, m, k}, {1, shared ? 1 : batch, k, n}},
          [=](const auto& in) {
            return made(batch * m * n, [&](std::int64_t i) {
              const std::int64_t b = i / (m * n), row = i / n % m, column = i % n;
              float sum = 0;  // below 2^24 all along
              for (std::int64_t j = 0; j < k; ++j) {
                sum += in[0][at((b * m + row) * k + j)] * in[1][at(((shared ? 0 : b) * k + j) * n + column)];
              }
              return sum;
            });
          }};
}
Case matmul_across_pixels() {  // rows of 6 in pixels of 4, results of 3 x 2 in pixels of 3
  return {"matmul_across_pixels",
          MatMulAttrs{{}, {}, {}, 3, 6, 2, {1, 1, 2, 3}},
          {{1, 1, 5, 4}, {1, 1, 4, 3}},
          [](const auto& in) {
            return made(6, [&](std::int64_t i) {
              float sum = 0;
              for (int j = 0; j < 6; ++j) sum += in[0][at(i / 2 * 6 + j)] * in[1][at(j * 2 + i % 2)];
              return sum;
            });
          }};
}

constexpr float kLo = -2.5f, kHi = 3;
const Case kCases[] = {
    same_shape("binary_add", BinaryKind::add, [](float a, float b) { return a + b; }),
    same_shape("binary_div", BinaryKind::div, [](float a, float b) { return a / b; }),
    same_shape("binary_max", BinaryKind::max, [](float a, float b) { return std::max(a, b); }),
    same_shape("binary_mod", BinaryKind::mod,
               [](float a, float b) { return b == 0 ? NAN : a - std::floor(a / b) * b; }),
    same_shape("binary_greater", BinaryKind::greater, [](float a, float b) { return a > b ? 1.0f : 0.0f; }),
    same_shape("binary_or", BinaryKind::or_, [](float a, float b) { return a != 0 || b != 0 ? 1.0f : 0.0f; }),
    per_channel("binary_mul_per_channel", BinaryKind::mul, [](float a, float b) { return a * b; }),
    per_channel("binary_prelu", BinaryKind::prelu, prelu),
    by_scalar(),
    outer_difference(),
    strided_operand(),
    uneven_gaps(),
    unary(
        "unary_exp", {UnaryKind::exp}, [](float x) { return std::exp(x); }, 1e-6),
    unary("unary_floor", {UnaryKind::floor}, [](float x) { return std::floor(x); }),
    unary("unary_clip", {UnaryKind::clip, kLo, kHi}, [](float x) { return std::clamp(x, kLo, kHi); }),
    unary(
        "unary_softplus", {UnaryKind::softplus}, [](float x) { return std::log(1 + std::exp(x)); }, 1e-6),
    select(),
    matmul("matmul", 3, false, 5, 7, 9),
    matmul("matmul_large", 2, true, 300, 40, 130),
    matmul("matmul_row", 1, true, 1, 65, 33),
    matmul_across_pixels(),
};

class Arithmetic : public ::testing::TestWithParam<Case> {};
TEST_P(Arithmetic, GiveThePlainLoopsNumbersEverywhere) { expect_everywhere(GetParam()); }
INSTANTIATE_TEST_SUITE_P(TensorOps, Arithmetic, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera::testing
