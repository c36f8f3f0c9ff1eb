#pragma once
// Convolutions for tests: a shape, its data, and what a variant makes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/text.h"
#include "kernels/conv/conv.h"
#include "kernels/test_support.h"

namespace tessera {

struct ConvCase {
  ConvShape shape;
  GemmEpilogue epilogue;
  bool bias = true, residual = false;
  std::int64_t src_gap = 0, dst_gap = 0;  ///< floats between pixels: channels of other values
};

inline std::string describe(const ConvCase& c) {
  const ConvShape& s = c.shape;
  return text(s.mb, "x", s.ih, "x", s.iw, "x", s.ic, " -> ", s.oh, "x", s.ow, "x", s.oc, " kernel ", s.kh, "x", s.kw,
              " stride ", s.sh, "x", s.sw, " dilation ", s.dh, "x", s.dw, " pad ", s.pt, ",", s.pl, " groups ",
              s.groups, " act ", static_cast<int>(c.epilogue.act.kind), c.residual ? " residual" : "", " gaps ",
              c.src_gap, ",", c.dst_gap);
}

/// Sets oh and ow from the padding of all four sides.
inline ConvShape padded(ConvShape s, std::int64_t top, std::int64_t left, std::int64_t bottom, std::int64_t right) {
  s.pt = top, s.pl = left;
  s.oh = (s.ih + top + bottom - ((s.kh - 1) * s.dh + 1)) / s.sh + 1;
  s.ow = (s.iw + left + right - ((s.kw - 1) * s.dw + 1)) / s.sw + 1;
  return s;
}

template <class T>
T pick(const Rng& rng, std::initializer_list<T> from) {
  return from.begin()[rng.below(from.size())];
}

/// The shape with bias, residual, gaps and activations by lot.
inline ConvCase by_lot(const Rng& rng, const ConvShape& shape) {
  ConvCase c{shape, {}};
  c.bias = rng.below(4) != 0;
  c.residual = rng.below(3) == 0;
  c.src_gap = pick<std::int64_t>(rng, {0, 0, 1, 8, 16});
  c.dst_gap = pick<std::int64_t>(rng, {0, 3, 5, 16});
  c.epilogue.act.kind = static_cast<Activation>(rng.below(10));
  if (c.residual) c.epilogue.post_act.kind = pick(rng, {Activation::linear, Activation::relu, Activation::mish});
  return c;
}

struct ConvData {
  std::vector<float> src, weights, bias, residual;
};

inline std::int64_t src_pixels(const ConvShape& s) { return s.mb * s.ih * s.iw; }
inline std::int64_t dst_pixels(const ConvShape& s) { return s.mb * s.oh * s.ow; }
inline std::int64_t sum_length(const ConvShape& s) { return s.kh * s.kw * s.ic / s.groups; }

template <class Fill>
ConvData make_data(const ConvCase& c, const Fill& fill) {
  const ConvShape& s = c.shape;
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  ConvData data{fill(size(src_pixels(s) * (s.ic + c.src_gap))), fill(size(s.oc * sum_length(s))), fill(size(s.oc)),
                fill(size(dst_pixels(s) * (s.oc + c.dst_gap)))};
  // What lies between the pixels must not be read as channels.
  for (std::int64_t p = 0; p < src_pixels(s); ++p) {
    std::fill_n(data.src.begin() + p * (s.ic + c.src_gap) + s.ic, c.src_gap, NAN);
  }
  return data;
}

inline ConvOperands operands(const ConvCase& c, const ConvData& data, float* dst) {
  return {.src = data.src.data(),
          .src_stride = c.shape.ic + c.src_gap,
          .dst = dst,
          .dst_stride = c.shape.oc + c.dst_gap,
          .residual = c.residual ? data.residual.data() : nullptr,
          .residual_stride = c.shape.oc + c.dst_gap};
}

inline std::vector<float> run_reference(const ConvCase& c, const ConvData& data) {
  std::vector<float> dst(data.residual.size(), kPoison);
  conv_reference(c.shape, data.weights.data(), c.bias ? data.bias.data() : nullptr, c.epilogue,
                 operands(c, data, dst.data()));
  return dst;
}

/// Runs all tasks, last first, each with scratch of exactly the promised size behind which nothing may be written.
template <class Prepared>
std::vector<float> run_tasks(const Prepared& prepared, const ConvCase& c, const ConvData& data) {
  std::vector<float> dst(data.residual.size(), kPoison);
  const std::size_t bytes = prepared.scratch_bytes();
  PackedFloats scratch(static_cast<std::int64_t>(bytes / sizeof(float)) + 64);
  std::byte* memory = reinterpret_cast<std::byte*>(scratch.data());
  std::memset(memory, 0xa5, bytes + 64);
  for (std::size_t task = prepared.tasks(); task-- > 0;) {
    ConvOperands io = operands(c, data, dst.data());
    io.scratch = memory;
    prepared.run(task, io);
  }
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(memory[bytes + i], std::byte{0xa5}) << "written behind the scratch";
  return dst;
}

/// Only the source rows that output rows [from, to) of `image` see; NaN for the others.
inline std::vector<float> seen_rows(const ConvCase& c, const ConvData& data, std::int64_t image, std::int64_t from,
                                    std::int64_t to) {
  const ConvShape& s = c.shape;
  const std::int64_t row = s.iw * (s.ic + c.src_gap), first = std::max<std::int64_t>(0, from * s.sh - s.pt);
  const std::int64_t end = std::min(s.ih, (to - 1) * s.sh - s.pt + (s.kh - 1) * s.dh + 1);
  std::vector<float> out(static_cast<std::size_t>(s.ih * row), NAN);
  const auto begin = data.src.begin() + image * s.ih * row;
  if (first < end) std::copy(begin + first * row, begin + end * row, out.begin() + first * row);
  return out;
}

/// Runs all images in bands of rows, cut by lot.
template <class Prepared>
std::vector<float> run_bands(const Rng& rng, const Prepared& prepared, const ConvCase& c, const ConvData& data) {
  const ConvShape& s = c.shape;
  std::vector<float> dst(data.residual.size(), kPoison);
  PackedFloats scratch(static_cast<std::int64_t>(prepared.scratch_bytes() / sizeof(float)) + 1);
  for (std::int64_t image = 0; image < s.mb; ++image) {
    for (std::int64_t from = 0, to; from < s.oh; from = to) {
      to = from + 1 + static_cast<std::int64_t>(rng.below(static_cast<std::size_t>(s.oh - from)));
      const std::vector<float> src = seen_rows(c, data, image, from, to);
      ConvOperands io = operands(c, data, dst.data());
      io.src = src.data();
      io.dst += image * s.oh * s.ow * io.dst_stride;
      if (io.residual) io.residual += image * s.oh * s.ow * io.residual_stride;
      io.scratch = reinterpret_cast<std::byte*>(scratch.data());
      prepared.run_rows(from, to, io);
    }
  }
  return dst;
}

/// Sums of the magnitudes of the products and the bias.
inline std::vector<float> magnitudes(const ConvCase& c, const ConvData& data) {
  const auto absolute = [](std::vector<float> values) {
    for (float& v : values) v = std::isnan(v) ? v : std::fabs(v);
    return values;
  };
  ConvCase plain = c;
  plain.epilogue = {};
  plain.residual = false;
  return run_reference(plain, {absolute(data.src), absolute(data.weights), absolute(data.bias), data.residual});
}

/// Bounds on |computed - exact| for accumulators within `accumulator` of the exact ones: activations stretch errors by
/// at most 1.5 (hard_swish) and add 1e-6 max(1, |x|) of their own (vec_math.h); the residual add and the final rounding
/// give one u = 2^-24 each. m: magnitudes of the accumulators.
inline std::vector<double> epilogue_bounds(const ConvCase& c, const ConvData& data, const std::vector<float>& m,
                                           const std::vector<double>& accumulator) {
  const double u = std::ldexp(1.0, -24);
  std::vector<double> bounds(m.size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    const double act = c.epilogue.act.kind == Activation::linear ? 0 : 1e-6 * std::max(1.0, double{m[i]});
    double bound = 1.5 * accumulator[i] + act;
    const double total = double{m[i]} + (c.residual ? std::fabs(double{data.residual[i]}) : 0.0);
    if (c.residual) bound = 1.5 * (bound + u * total) + 1e-6 * std::max(1.0, total);
    bounds[i] = bound + 2 * u * total;
  }
  return bounds;
}

/// A float sum of K products and a bias, in any order, is within (K + 2) u of the sum of magnitudes (Higham 2002,
/// section 3.1).
inline std::vector<double> error_bounds(const ConvCase& c, const ConvData& data) {
  const std::vector<float> m = magnitudes(c, data);
  std::vector<double> accumulator(m.begin(), m.end());
  const double factor = std::ldexp(static_cast<double>(sum_length(c.shape)) + 2, -24);
  for (double& v : accumulator) v *= factor;
  return epilogue_bounds(c, data, m, accumulator);
}

/// Channels against bounds, gaps against the poison; names the worst place.
inline void expect_close(const ConvCase& c, const std::vector<float>& got, const std::vector<float>& want,
                         const std::vector<double>& bounds) {
  std::size_t wrong = 0, worst = 0;
  double worst_ratio = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool gap = static_cast<std::int64_t>(i) % (c.shape.oc + c.dst_gap) >= c.shape.oc;
    if (gap) {
      ASSERT_EQ(got[i], kPoison) << "wrote between the pixels, at float " << i << " of " << describe(c);
      continue;
    }
    const double error = std::fabs(double{got[i]} - double{want[i]});
    const double ratio = error <= bounds[i] ? 0 : bounds[i] > 0 ? error / bounds[i] : 1e30;
    if (ratio == 0) continue;
    ++wrong;
    if (!(ratio <= worst_ratio)) worst = i, worst_ratio = ratio;
  }
  EXPECT_EQ(wrong, 0u) << describe(c) << ": worst at float " << worst << ": got " << got[worst] << ", want "
                       << want[worst] << ", bound " << bounds[worst];
}

/// Every kernel on every case, filled with numbers in [-1, 1], against the reference. run(kernel, c, data) gives the
/// outputs, bounds(c, data) what they may be off by.
template <class Kernels, class Run, class Bounds>
void expect_all_close(const Rng& rng, const std::vector<ConvCase>& cases, const Kernels& kernels, const Run& run,
                      const Bounds& bounds) {
  for (const ConvCase& c : cases) {
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    const auto want = run_reference(c, data);
    const auto allowed = bounds(c, data);
    for (const auto& kernel : kernels) {
      SCOPED_TRACE(kernel.name);
      expect_close(c, run(kernel, c, data), want, allowed);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// NaN and infinities exactly where the reference has them; the number of each.
inline void expect_same_specials(const std::vector<float>& got, const std::vector<float>& want, std::ptrdiff_t nans,
                                 std::ptrdiff_t infinities) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(std::isnan(got[i]), std::isnan(want[i])) << "float " << i;
    ASSERT_EQ(std::isinf(got[i]) ? got[i] : 0, std::isinf(want[i]) ? want[i] : 0) << "float " << i;
  }
  EXPECT_EQ(std::count_if(got.begin(), got.end(), [](float v) { return std::isnan(v); }), nans);
  EXPECT_EQ(std::count_if(got.begin(), got.end(), [](float v) { return std::isinf(v); }), infinities);
}

}  // namespace tessera
