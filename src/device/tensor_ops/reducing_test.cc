// Operators that make one number of many: reduce, top_k, pools with dilation or counted padding.

#include <numeric>

#include "device/tensor_ops/tensor_cases.h"

namespace tessera::testing {
namespace {

float reduce_plainly(ReduceKind kind, bool last, const Values& numbers) {
  const auto least = std::ranges::min_element(numbers), greatest = std::ranges::max_element(numbers);
  const float sum = std::accumulate(numbers.begin(), numbers.end(), 0.0f);
  const auto position = [&](float value) {
    const auto first = std::ranges::find(numbers, value);
    const auto final = std::find(numbers.rbegin(), numbers.rend(), value);
    return static_cast<float>(last ? numbers.rend() - final - 1 : first - numbers.begin());
  };
  switch (kind) {
    case ReduceKind::mean:
      return sum / static_cast<float>(numbers.size());
    case ReduceKind::max:
      return *greatest;
    case ReduceKind::min:
      return *least;
    case ReduceKind::sum:
      return sum;
    case ReduceKind::prod:
      return static_cast<float>(std::accumulate(numbers.begin(), numbers.end(), 1.0, std::multiplies<>()));
    case ReduceKind::l2:
      return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0f));
    case ReduceKind::argmax:
      return position(*greatest);
    case ReduceKind::argmin:
      return position(*least);
  }
  return 0;
}

Case over_pixels(const char* name, ReduceKind kind, bool last) {
  return {name,
          ReduceAttrs{kind, last, {2, 21}, {30 * 21, 1}, {5, 6}, {6 * 21, 21}, {2, 1, 1, 21}},
          {{2, 5, 6, 21}},
          [=](const auto& in) {
            return made(42, [&](std::int64_t i) {
              return reduce_plainly(
                  kind, last, made(30, [&](std::int64_t p) { return in[0][at((i / 21 * 30 + p) * 21 + i % 21)]; }));
            });
          }};
}
Case over_channels(const char* name, ReduceKind kind, bool last) {
  return {name, ReduceAttrs{kind, last, {60}, {21}, {21}, {1}, {2, 5, 6, 1}}, {{2, 5, 6, 21}}, [=](const auto& in) {
            return made(60, [&](std::int64_t i) {
              return reduce_plainly(kind, last, made(21, [&](std::int64_t c) { return in[0][at(i * 21 + c)]; }));
            });
          }};
}
Case over_everything() {
  return {"reduce_everything",
          ReduceAttrs{ReduceKind::sum, false, {}, {}, {40, 80}, {80, 1}, {1, 1, 1, 1}},
          {{1, 40, 10, 8}},
          [](const auto& in) { return Values{std::accumulate(in[0].begin(), in[0].end(), 0.0f)}; }};
}
Case across_pixels_reduced() {
  return {"reduce_across_pixels",
          ReduceAttrs{ReduceKind::max, false, {3}, {10}, {10}, {1}, {1, 1, 1, 3}},
          {{1, 1, 5, 6}},
          [](const auto& in) {
            return made(3, [&](std::int64_t i) {
              return *std::max_element(in[0].begin() + i * 10, in[0].begin() + i * 10 + 10);
            });
          }};
}

Case top_k(const char* name, TopKAttrs attrs) {
  return {name, attrs, {{1, 4, 5, 23}}, [=](const auto& in) {
            Values out;
            for (int p = 0; p < 20; ++p) {
              std::vector<int> order(23);
              std::iota(order.begin(), order.end(), 0);
              const float* src = in[0].data() + p * 23;
              std::ranges::stable_sort(order,
                                       [&](int a, int b) { return attrs.largest ? src[a] > src[b] : src[a] < src[b]; });
              for (int i = 0; i < attrs.k; ++i)
                out.push_back(attrs.indices ? static_cast<float>(order[at(i)]) : src[order[at(i)]]);
            }
            return out;
          }};
}

Case dilated_pool(const char* name, PoolAttrs::Kind kind, bool count) {
  return {name, PoolAttrs{kind, 2, 2, 1, 1, {1, 1, 1, 1}, 2, 1, count}, {{1, 6, 5, 18}}, [=](const auto& in) {
            return made(6 * 6 * 18, [&](std::int64_t i) {
              float sum = 0, greatest = -100;
              int taps = 0;
              for (int t = 0; t < 4; ++t) {
                const std::int64_t y = i / (6 * 18) - 1 + t / 2 * 2, x = i / 18 % 6 - 1 + t % 2;
                if (y < 0 || y >= 6 || x < 0 || x >= 5) continue;
                const float v = in[0][at((y * 5 + x) * 18 + i % 18)];
                sum += v, greatest = std::max(greatest, v), ++taps;
              }
              return kind == PoolAttrs::Kind::max ? greatest : sum / static_cast<float>(count ? 4 : taps);
            });
          }};
}

// Products beyond 2^53 are rounded on the way, which may turn the last bit of the float.
Case rounded(Case c) {
  c.tolerance = 1.2e-7;
  return c;
}

const Case kCases[] = {
    over_pixels("reduce_mean_pixels", ReduceKind::mean, false),
    over_pixels("reduce_max_pixels", ReduceKind::max, false),
    over_pixels("reduce_argmin_pixels", ReduceKind::argmin, false),
    over_channels("reduce_sum_channels", ReduceKind::sum, false),
    over_channels("reduce_min_channels", ReduceKind::min, false),
    over_channels("reduce_l2_channels", ReduceKind::l2, false),
    rounded(over_channels("reduce_prod_channels", ReduceKind::prod, false)),
    over_channels("reduce_argmax_channels", ReduceKind::argmax, false),
    over_channels("reduce_argmax_last", ReduceKind::argmax, true),
    over_everything(),
    across_pixels_reduced(),
    top_k("top_k_values", {5, true, false}),
    top_k("top_k_indices", {5, true, true}),
    top_k("top_k_smallest_indices", {23, false, true}),
    dilated_pool("pool_dilated_max", PoolAttrs::Kind::max, false),
    dilated_pool("pool_dilated_average", PoolAttrs::Kind::average, false),
    dilated_pool("pool_average_with_padding", PoolAttrs::Kind::average, true),
};

class Reducing : public ::testing::TestWithParam<Case> {};
TEST_P(Reducing, GiveThePlainLoopsNumbersEverywhere) { expect_everywhere(GetParam()); }
INSTANTIATE_TEST_SUITE_P(TensorOps, Reducing, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera::testing
