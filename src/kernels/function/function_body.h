#pragma once
// The loops all ISAs share. V is a vector of vec_<isa>.h with the three operations more that the ISA's file adds:
// select_equal (no when either is NaN), sqrt, floor. What the vectors have no pieces for goes through the formulas.

#include <cstdint>

#include "kernels/activation/vec_math.h"
#include "kernels/function/variants.h"

namespace tessera {
namespace {

/// f(a, b) over the run, whole registers and then the lanes left over.
template <class V, class F>
void each_pair(const F& f, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step, float* dst,
               std::int64_t n) {
  const auto load = [](const float* p, std::int64_t step, std::int64_t i) {
    return step == 0 ? V::set1(*p) : V::load(p + i);
  };
  std::int64_t i = 0;
  for (; i + V::kLanes <= n; i += V::kLanes) V::store(dst + i, f(load(a, a_step, i), load(b, b_step, i)));
  const int rest = static_cast<int>(n - i);
  if (rest == 0) return;
  const auto load_rest = [&](const float* p, std::int64_t step) {
    return step == 0 ? V::set1(*p) : V::load_first(p + i, rest);
  };
  V::store_first(dst + i, f(load_rest(a, a_step), load_rest(b, b_step)), rest);
}

// A NaN in either operand is the result: min and max would give the second when the first is NaN.
template <class V>
typename V::Reg nan_or(typename V::Reg a, typename V::Reg chosen) {
  return V::select_equal(a, a, chosen, a);
}
/// 1 where x is true, that is not 0.
template <class V>
typename V::Reg truth(typename V::Reg x) {
  return V::select_equal(x, V::set1(0), V::set1(0), V::set1(1));
}

template <class V>
void compare_any(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step, float* dst,
                 std::int64_t n) {
  using Reg = typename V::Reg;
  const auto run = [&](const auto& f) { each_pair<V>(f, a, a_step, b, b_step, dst, n); };
  const auto less = [](Reg x, Reg y) { return V::select_less(x, y, V::set1(1), V::set1(0)); };
  const auto at_most = [less](Reg x, Reg y) { return V::select_equal(x, y, V::set1(1), less(x, y)); };
  switch (kind) {
    case BinaryKind::less:
      return run(less);
    case BinaryKind::less_equal:
      return run(at_most);
    case BinaryKind::greater:
      return run([less](Reg x, Reg y) { return less(y, x); });
    case BinaryKind::greater_equal:
      return run([at_most](Reg x, Reg y) { return at_most(y, x); });
    case BinaryKind::equal:
      return run([](Reg x, Reg y) { return V::select_equal(x, y, V::set1(1), V::set1(0)); });
    case BinaryKind::and_:
      return run([](Reg x, Reg y) { return V::mul(truth<V>(x), truth<V>(y)); });
    case BinaryKind::or_:
      return run([](Reg x, Reg y) { return V::max(truth<V>(x), truth<V>(y)); });
    default:
      return run([](Reg x, Reg y) { return V::abs(V::sub(truth<V>(x), truth<V>(y))); });  // xor
  }
}

template <class V>
void binary_any(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step, float* dst,
                std::int64_t n) {
  using Reg = typename V::Reg;
  const auto run = [&](const auto& f) { each_pair<V>(f, a, a_step, b, b_step, dst, n); };
  switch (kind) {
    case BinaryKind::add:
      return run([](Reg x, Reg y) { return V::add(x, y); });
    case BinaryKind::sub:
      return run([](Reg x, Reg y) { return V::sub(x, y); });
    case BinaryKind::mul:
      return run([](Reg x, Reg y) { return V::mul(x, y); });
    case BinaryKind::div:
      return run([](Reg x, Reg y) { return V::div(x, y); });
    case BinaryKind::min:
      return run([](Reg x, Reg y) { return nan_or<V>(x, V::min(x, y)); });
    case BinaryKind::max:
      return run([](Reg x, Reg y) { return nan_or<V>(x, V::max(x, y)); });
    case BinaryKind::prelu:
      return run([](Reg x, Reg y) { return V::select_less(x, V::set1(0), V::mul(x, y), x); });
    case BinaryKind::pow:  // squares are what decoders take; one product is the power, rounded once
      if (b_step == 0 && *b == 2.0f) return run([](Reg x, Reg) { return V::mul(x, x); });
      [[fallthrough]];
    case BinaryKind::mod:
    case BinaryKind::fmod:
    case BinaryKind::int_div:
      return binary_f32_reference(kind, a, a_step, b, b_step, dst, n);
    default:
      return compare_any<V>(kind, a, a_step, b, b_step, dst, n);
  }
}

template <class V>
typename V::Reg ceil(typename V::Reg x) {
  const auto minus = V::set1(-1);
  return V::mul(minus, V::floor(V::mul(minus, x)));
}

// Half to even. x - floor(x) is exact; of infinities it is NaN, which ends in x + 1.
template <class V>
typename V::Reg round_half_even(typename V::Reg x) {
  const auto half = V::set1(0.5f), low = V::floor(x), high = V::add(low, V::set1(1)), rest = V::sub(x, low);
  const auto low_half = V::mul(half, low);
  const auto even = V::select_equal(V::floor(low_half), low_half, low, high);
  const auto near = V::select_less(rest, half, low, V::select_less(half, rest, high, even));
  return V::with_sign_of(V::abs(near), x);
}

// e^x - 1 = 2t / (1 - t) with t = tanh(x / 2): no cancellation near 0.
template <class V>
typename V::Reg elu(typename V::Reg x, typename V::Reg alpha) {
  const auto t = tanh<V>(V::mul(V::set1(0.5f), x));
  const auto below = V::mul(alpha, V::div(V::add(t, t), V::sub(V::set1(1), t)));
  return V::select_less(x, V::set1(0), below, x);
}

// (1 + tanh(u)) / 2 is the logistic function of 2u.
template <class V>
typename V::Reg gelu_tanh(typename V::Reg x) {
  const auto cubic = V::mul(V::mul(V::set1(0.044715f), x), V::mul(x, x));
  return V::mul(x, logistic<V>(V::mul(V::set1(1.5957691f), V::add(x, cubic))));  // 2 sqrt(2 / pi)
}

template <class V>
typename V::Reg sign(typename V::Reg x) {
  const auto zero = V::set1(0);
  return V::select_less(zero, x, V::set1(1), V::select_less(x, zero, V::set1(-1), x));
}

template <class V>
typename V::Reg clip(typename V::Reg x, float low, float high) {  // NaN passes: the constants stand first
  return V::min(V::set1(high), V::max(V::set1(low), x));
}

template <class V, class F>
void each_one(const F& f, const float* src, float* dst, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + V::kLanes <= n; i += V::kLanes) V::store(dst + i, f(V::load(src + i)));
  const int rest = static_cast<int>(n - i);
  if (rest > 0) V::store_first(dst + i, f(V::load_first(src + i, rest)), rest);
}

template <class V>
void unary_any(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  using Reg = typename V::Reg;
  const auto run = [&](const auto& f) { each_one<V>(f, src, dst, n); };
  switch (kind) {
    case UnaryKind::exp:
      return run([](Reg x) { return exp<V>(x); });
    case UnaryKind::sqrt:
      return run([](Reg x) { return V::sqrt(x); });
    case UnaryKind::neg:
      return run([](Reg x) { return V::mul(V::set1(-1), x); });
    case UnaryKind::abs:
      return run([](Reg x) { return V::abs(x); });
    case UnaryKind::reciprocal:
      return run([](Reg x) { return V::div(V::set1(1), x); });
    case UnaryKind::floor:
      return run([](Reg x) { return V::floor(x); });
    case UnaryKind::ceil:
      return run([](Reg x) { return ceil<V>(x); });
    case UnaryKind::round:
      return run([](Reg x) { return round_half_even<V>(x); });
    case UnaryKind::truncate:
      return run([](Reg x) { return V::with_sign_of(V::floor(V::abs(x)), x); });
    case UnaryKind::elu:
      return run([alpha](Reg x) { return elu<V>(x, V::set1(alpha)); });
    case UnaryKind::hard_sigmoid:
      return run([=](Reg x) { return clip<V>(V::add(V::mul(V::set1(alpha), x), V::set1(beta)), 0, 1); });
    case UnaryKind::clip:
      return run([=](Reg x) { return clip<V>(x, alpha, beta); });
    case UnaryKind::not_:
      return run([](Reg x) { return V::sub(V::set1(1), truth<V>(x)); });
    case UnaryKind::sign:
      return run([](Reg x) { return sign<V>(x); });
    case UnaryKind::gelu_tanh:
      return run([](Reg x) { return gelu_tanh<V>(x); });
    default:
      return unary_f32_reference(kind, alpha, beta, src, dst, n);
  }
}

}  // namespace
}  // namespace tessera
