// Operators that move numbers: rearrange, reshape, gather, resize, pad, concat_dims.

#include "device/tensor_ops/tensor_cases.h"

namespace tessera::testing {
namespace {

Case transpose(const char* name, std::int64_t rows, std::int64_t columns) {  // hw x c -> c x hw
  return {name,
          RearrangeAttrs{{columns, rows}, {1, columns}, 0, {1, 1, columns, rows}},
          {{1, 1, rows, columns}},
          [=](const auto& in) {
            Values out;
            for (std::int64_t c = 0; c < columns; ++c) {
              for (std::int64_t r = 0; r < rows; ++r) out.push_back(in[0][at(r * columns + c)]);
            }
            return out;
          }};
}

Case heads() {  // n h w (a k) -> n a h w k
  return {"rearrange_heads",
          RearrangeAttrs{{2, 3, 20, 7}, {20 * 21, 7, 21, 1}, 0, {2, 3, 20, 7}},
          {{2, 4, 5, 21}},
          [](const auto& in) {
            Values out;
            for (int n = 0; n < 2; ++n) {
              for (int a = 0; a < 3; ++a) {
                for (int hw = 0; hw < 20; ++hw) {
                  for (int k = 0; k < 7; ++k) out.push_back(in[0][at((n * 20 + hw) * 21 + a * 7 + k)]);
                }
              }
            }
            return out;
          }};
}

Case reversed_slice() {  // rows 3, 1 of 5 from the back, columns mirrored
  return {"rearrange_negative_strides",
          RearrangeAttrs{{2, 6, 9}, {-2 * 54, -9, 1}, 3 * 54 + 5 * 9, {1, 2, 6, 9}},
          {{1, 5, 6, 9}},
          [](const auto& in) {
            Values out;
            for (int h : {3, 1}) {
              for (int w = 5; w >= 0; --w) {
                for (int c = 0; c < 9; ++c) out.push_back(in[0][at((h * 6 + w) * 9 + c)]);
              }
            }
            return out;
          }};
}

Case expanded() {  // 1 1 1 c -> h w c, each channel twice
  return {"rearrange_zero_strides",
          RearrangeAttrs{{12, 5, 2}, {0, 1, 0}, 0, {1, 3, 4, 10}},
          {{1, 1, 1, 5}},
          [](const auto& in) { return made(120, [&](std::int64_t i) { return in[0][at(i % 10 / 2)]; }); }};
}

Case space_to_depth() {
  return {"rearrange_space_to_depth",
          RearrangeAttrs{{3, 4, 2, 2, 5}, {2 * 8 * 5, 2 * 5, 8 * 5, 5, 1}, 0, {1, 3, 4, 20}},
          {{1, 6, 8, 5}},
          [](const auto& in) {
            Values out;
            for (int y = 0; y < 3; ++y) {
              for (int x = 0; x < 4; ++x) {
                for (int b = 0; b < 4; ++b) {
                  for (int c = 0; c < 5; ++c) out.push_back(in[0][at(((2 * y + b / 2) * 8 + 2 * x + b % 2) * 5 + c)]);
                }
              }
            }
            return out;
          }};
}

Case across_pixels() {  // runs of 4 over pixels of 6: no axis respects the pixels
  return {
      "rearrange_across_pixels", RearrangeAttrs{{6, 4}, {-4, 1}, 20, {1, 1, 6, 4}}, {{1, 2, 2, 6}}, [](const auto& in) {
        return made(24, [&](std::int64_t i) { return in[0][at(20 - i / 4 * 4 + i % 4)]; });
      }};
}

Case reshape() {
  return {"reshape", ReshapeAttrs{{2, 3, 2, 10}}, {{1, 4, 5, 6}}, [](const auto& in) { return in[0]; }};
}

std::int64_t wanted_line(float index, std::int64_t extent) {
  auto i = static_cast<std::int64_t>(index);
  if (i < 0) i += extent;
  return std::min(std::max<std::int64_t>(i, 0), extent - 1);
}
Case gather() {  // indices from -8 to 8 among 5 lines: some count from the end, some lie outside
  return {"gather", GatherAttrs{3, 5, 8, false, {1, 3, 7, 8}}, {{1, 3, 5, 8}, {1, 1, 1, 7}}, [](const auto& in) {
            return made(3 * 7 * 8, [&](std::int64_t i) {
              return in[0][at((i / 56 * 5 + wanted_line(in[1][at(i / 8 % 7)], 5)) * 8 + i % 8)];
            });
          }};
}
Case gather_elements() {
  return {
      "gather_elements", GatherAttrs{3, 5, 8, true, {1, 3, 2, 8}}, {{1, 3, 5, 8}, {1, 3, 2, 8}}, [](const auto& in) {
        return made(3 * 2 * 8,
                    [&](std::int64_t i) { return in[0][at((i / 16 * 5 + wanted_line(in[1][at(i)], 5)) * 8 + i % 8)]; });
      }};
}

Case resize_nearest() {
  return {"resize_nearest",
          ResizeAttrs{ResizeKind::nearest, {0, 2, 2, 1}, {}, {3, 0, 1}, {}, {}, {}, {2, 4, 3, 6}},
          {{2, 3, 4, 6}},
          [](const auto& in) {
            const int rows[] = {0, 2, 2, 1}, columns[] = {3, 0, 1};
            return made(2 * 4 * 3 * 6, [&](std::int64_t i) {
              return in[0][at(((i / 72 * 3 + rows[i / 18 % 4]) * 4 + columns[i / 6 % 3]) * 6 + i % 6)];
            });
          }};
}
Case resize_linear() {  // weights are eighths: exact
  return {
      "resize_linear",
      ResizeAttrs{
          ResizeKind::linear, {0, 1}, {1, 2}, {0, 2, 3}, {1, 3, 3}, {0.25f, 0.5f}, {0.125f, 0.75f, 0}, {1, 2, 3, 19}},
      {{1, 3, 4, 19}},
      [](const auto& in) {
        const int ylo[] = {0, 1}, yhi[] = {1, 2}, xlo[] = {0, 2, 3}, xhi[] = {1, 3, 3};
        const float wy[] = {0.25f, 0.5f}, wx[] = {0.125f, 0.75f, 0};
        return made(2 * 3 * 19, [&](std::int64_t i) {
          const std::int64_t y = i / 57, x = i / 19 % 3, c = i % 19;
          const auto source = [&](int sy, int sx) { return in[0][at((sy * 4 + sx) * 19 + c)]; };
          return (1 - wy[y]) * ((1 - wx[x]) * source(ylo[y], xlo[x]) + wx[x] * source(ylo[y], xhi[x])) +
                 wy[y] * ((1 - wx[x]) * source(yhi[y], xlo[x]) + wx[x] * source(yhi[y], xhi[x]));
        });
      }};
}

Case pad(const char* name, PadMode mode, std::int64_t channels) {  // 2 rows before, 1 after; 1 column before, 3 after
  return {name, PadAttrs{mode, {0, 2, 1, channels}, {0, 1, 3, channels}, 7.5f}, {{2, 4, 5, 6}}, [=](const auto& in) {
            const std::int64_t c = 6 + 2 * channels;
            const auto inside = [&](std::int64_t i, std::int64_t extent) -> std::int64_t {
              if (mode == PadMode::reflect && i < 0) return -i;
              if (mode == PadMode::reflect && i >= extent) return 2 * extent - 2 - i;
              if (mode == PadMode::edge) return i < 0 ? 0 : std::min(i, extent - 1);
              return i >= extent ? -1 : i;
            };
            return made(2 * 7 * 9 * c, [&](std::int64_t i) {
              const std::int64_t y = inside(i / (9 * c) % 7 - 2, 4), x = inside(i / c % 9 - 1, 5);
              const std::int64_t k = inside(i % c - channels, 6);
              return y < 0 || x < 0 || k < 0 ? 7.5f : in[0][at(((i / (63 * c) * 4 + y) * 5 + x) * 6 + k)];
            });
          }};
}

Case concat_dims() {  // rows of 12, 4 and 6 numbers
  return {"concat_dims",
          ConcatDimsAttrs{3, {12, 4, 6}, {1, 3, 2, 11}},
          {{1, 3, 2, 6}, {3, 1, 2, 2}, {1, 1, 3, 6}},
          [](const auto& in) {
            const int inner[] = {12, 4, 6};
            Values out;
            for (int o = 0; o < 3; ++o) {
              for (int i = 0; i < 3; ++i)
                out.insert(out.end(), in[at(i)].begin() + o * inner[i], in[at(i)].begin() + (o + 1) * inner[i]);
            }
            return out;
          }};
}

const Case kCases[] = {
    transpose("rearrange_transpose", 35, 50),
    transpose("rearrange_transpose_narrow", 70, 3),
    heads(),
    reversed_slice(),
    expanded(),
    space_to_depth(),
    across_pixels(),
    reshape(),
    gather(),
    gather_elements(),
    resize_nearest(),
    resize_linear(),
    pad("pad_constant", PadMode::constant, 0),
    pad("pad_reflect", PadMode::reflect, 2),
    pad("pad_edge", PadMode::edge, 1),
    concat_dims(),
};

class Moving : public ::testing::TestWithParam<Case> {};
TEST_P(Moving, GiveThePlainLoopsNumbersEverywhere) { expect_everywhere(GetParam()); }
INSTANTIATE_TEST_SUITE_P(TensorOps, Moving, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera::testing
