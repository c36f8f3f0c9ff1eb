#pragma once
// What the tests of direct convolutions try, see conv_test.cc.

#include <vector>

#include "kernels/conv/conv_cases.h"

namespace tessera {

/// Shapes of real networks in small, and the odd ones: few channels, wide kernels, sides that touch the padding
/// everywhere, kernels as large as the image, outputs of one pixel.
inline std::vector<ConvCase> listed_cases() {
  return {
      {padded({.ih = 9, .iw = 11, .ic = 3, .oc = 32, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 32, .iw = 40, .ic = 3, .oc = 16, .kh = 6, .kw = 6, .sh = 2, .sw = 2}, 2, 2, 2, 2)},
      {padded({.ih = 28, .iw = 28, .ic = 1, .oc = 32, .kh = 5, .kw = 5}, 2, 2, 2, 2)},
      {padded({.ih = 49, .iw = 10, .ic = 1, .oc = 64, .kh = 10, .kw = 4, .sh = 2, .sw = 2}, 5, 1, 5, 1)},
      {padded({.ih = 13, .iw = 13, .ic = 64, .oc = 255}, 0, 0, 0, 0)},
      {padded({.ih = 13, .iw = 13, .ic = 48, .oc = 64, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 14, .iw = 14, .ic = 32, .oc = 64, .kh = 3, .kw = 3, .sh = 2, .sw = 2}, 1, 1, 0, 0)},
      {padded({.ih = 14, .iw = 13, .ic = 32, .oc = 24, .kh = 1, .kw = 1, .sh = 2, .sw = 2}, 0, 0, 0, 0)},
      {padded({.ih = 7, .iw = 7, .ic = 64, .oc = 32, .kh = 7, .kw = 7}, 0, 0, 0, 0)},
      {padded({.mb = 3, .ih = 7, .iw = 5, .ic = 17, .oc = 12, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 5, .iw = 5, .ic = 5, .oc = 1, .kh = 5, .kw = 5}, 2, 2, 2, 2)},
      {padded({.ih = 20, .iw = 20, .ic = 8, .oc = 18, .kh = 3, .kw = 3, .dh = 2, .dw = 2}, 2, 2, 2, 2)},
      {padded({.ih = 9, .iw = 9, .ic = 24, .oc = 48, .kh = 3, .kw = 3, .groups = 3}, 1, 1, 1, 1)},
      {padded({.ih = 1, .iw = 1, .ic = 1, .oc = 1}, 0, 0, 0, 0)},
      {padded({.ih = 1, .iw = 1, .ic = 100, .oc = 2}, 0, 0, 0, 0)},
      {padded({.ih = 3, .iw = 3, .ic = 2, .oc = 33, .kh = 3, .kw = 3}, 2, 2, 2, 2)},
      {padded({.ih = 1, .iw = 30, .ic = 4, .oc = 7, .kh = 1, .kw = 3}, 0, 0, 0, 2)},
      {padded({.ih = 2, .iw = 3, .ic = 70, .oc = 5, .kh = 3, .kw = 3}, 2, 2, 3, 3)},
      {padded({.ih = 9, .iw = 13, .ic = 71, .oc = 16}, 0, 0, 0, 0)},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 71, .oc = 12}, 0, 0, 0, 0), .epilogue = {}, .residual = true},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 64, .oc = 20}, 0, 0, 0, 0), .epilogue = {}, .dst_gap = 4},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 71, .oc = 24}, 0, 0, 0, 0), .epilogue = {}, .residual = true},
      {padded({.ih = 20, .iw = 44, .ic = 3, .oc = 14, .kh = 6, .kw = 6, .sh = 2, .sw = 2}, 2, 2, 2, 2)},
  };
}

inline ConvCase random_case(const Rng& rng) {
  ConvShape s;
  s.groups = pick<std::int64_t>(rng, {1, 1, 1, 2, 3});
  s.ic = s.groups * pick<std::int64_t>(rng, {1, 2, 3, 5, 8, 16, 17, 40});
  s.oc = s.groups * pick<std::int64_t>(rng, {1, 2, 5, 12, 16, 18, 31, 32, 33, 85});
  s.mb = pick<std::int64_t>(rng, {1, 1, 2});
  s.kh = pick<std::int64_t>(rng, {1, 1, 2, 3, 3, 5}), s.kw = pick<std::int64_t>(rng, {1, 1, 2, 3, 3, 5});
  s.sh = pick<std::int64_t>(rng, {1, 1, 2, 3}), s.sw = pick<std::int64_t>(rng, {1, 1, 2, 3});
  s.dh = pick<std::int64_t>(rng, {1, 1, 2}), s.dw = pick<std::int64_t>(rng, {1, 1, 2});
  s.ih = (s.kh - 1) * s.dh + 1 + static_cast<std::int64_t>(rng.below(12));
  s.iw = (s.kw - 1) * s.dw + 1 + static_cast<std::int64_t>(rng.below(12));
  const auto pad = [&] { return static_cast<std::int64_t>(rng.below(3)); };
  return by_lot(rng, padded(s, pad(), pad(), pad(), pad()));
}

/// The layers that chains are made of: wide images of few channels.
inline std::vector<ConvShape> wide_shapes() {
  std::vector<ConvShape> all;
  for (const std::int64_t oc : {4, 8, 12, 16, 24, 40, 72}) {
    all.push_back(padded({.ih = 9, .iw = 40, .ic = 8, .oc = oc}, 0, 0, 0, 0));
    all.push_back(padded({.mb = 2, .ih = 8, .iw = 13, .ic = 33, .oc = oc}, 0, 0, 0, 0));
    all.push_back(
        padded({.mb = 2, .ih = 17, .iw = 101, .ic = 3, .oc = oc, .kh = 3, .kw = 3, .sh = 2, .sw = 2}, 1, 1, 1, 1));
    all.push_back(padded({.ih = 14, .iw = 99, .ic = 3, .oc = oc, .kh = 5, .kw = 3, .dh = 2}, 3, 2, 0, 1));
    all.push_back(padded({.ih = 30, .iw = 31, .ic = 6, .oc = oc, .sh = 2, .sw = 3}, 1, 0, 0, 2));
  }
  return all;
}

/// What layers of few channels end in, with and without channels of others between the pixels; and something by lot.
inline std::vector<ConvCase> wide_cases(const Rng& rng) {
  std::vector<ConvCase> all;
  for (const ConvShape& shape : wide_shapes()) {
    all.push_back({.shape = shape, .epilogue = {.act = {.kind = Activation::leaky, .alpha = 0.1f}}});
    all.push_back({.shape = shape, .epilogue = {}, .residual = true});
    all.push_back({.shape = shape, .epilogue = {}, .bias = false, .src_gap = 3, .dst_gap = 5});
    all.push_back(by_lot(rng, shape));
  }
  return all;
}

inline std::vector<ConvCase> cases(const Rng& rng) {
  std::vector<ConvCase> all = listed_cases();
  const auto wide = wide_cases(rng);
  all.insert(all.end(), wide.begin(), wide.end());
  for (int i = 0; i < 150; ++i) all.push_back(random_case(rng));
  return all;
}

}  // namespace tessera
