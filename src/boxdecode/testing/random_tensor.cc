#include "boxdecode/testing/random_tensor.h"

#include <algorithm>

namespace tessera::boxdecode::testing {
namespace {

constexpr std::int64_t kMostChannels = 1024;  // physical ones of a dense pixel, and of a channel tile

std::int64_t round_up_16(std::int64_t n) { return (n + 15) / 16 * 16; }

std::int64_t random_tile_c(Choices& choices, std::int64_t c, bool combined) {
  const std::int64_t any[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 48, 64, c, c + 1, kMostChannels};
  const std::int64_t whole[] = {16, 32, 64, c};
  const bool may_be_full = c % 16 == 0 && choices.one_in(2);  // whole stripes only: these have routes of their own
  const std::int64_t wanted = may_be_full ? choices.pick(whole) : choices.pick(any);
  return std::min(combined ? round_up_16(wanted) : wanted, kMostChannels);
}

/// Mostly tiles that cut the tensor unevenly, sometimes single cells, sometimes far more than there is.
std::int64_t random_tile_side(Choices& choices, std::int64_t extent) {
  if (choices.one_in(8)) return 32'767;
  if (choices.one_in(6)) return 1;
  return choices.between(1, static_cast<std::int32_t>(extent) + 2);
}

std::int64_t random_pixel(Choices& choices, DType dtype, std::int64_t c, bool combined) {
  if (!combined || dtype == DType::Float32) return std::min<std::int64_t>(kMostChannels, c + choices.below(5));
  return std::min<std::int64_t>(kMostChannels, round_up_16(c) + 16 * choices.below(2));
}

void add_leading_axes(Choices& choices, TensorSpec& spec) {
  auto* strided = std::get_if<Strided>(&spec.layout);
  for (std::int32_t axes = choices.between(1, 3); axes > 0; --axes) {
    const Shape s = spec.shape;
    spec.shape = {1};
    for (const std::int64_t extent : s) spec.shape.push_back(extent);
    if (strided == nullptr) continue;
    const Shape old = strided->byte_strides;
    strided->byte_strides = {element_size(spec.dtype) * choices.below(100)};  // of an extent of 1: ignored
    for (const std::int64_t stride : old) strided->byte_strides.push_back(stride);
  }
}

}  // namespace

DType random_dtype(Choices& choices) {
  // The device's types more often: they have the many routes.
  return choices.pick({DType::Float32, DType::BFloat16, DType::BFloat16, DType::Int8, DType::Int8});
}

TensorSpec random_tensor(Choices& choices, DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, bool combined) {
  TensorSpec spec;
  const bool contiguous_is_legal = !combined || dtype == DType::Float32 || c % 16 == 0;
  if (dtype != DType::Float32 && choices.one_in(2)) {
    const std::int64_t tile_h = random_tile_side(choices, h), tile_w = random_tile_side(choices, w);
    spec = blocked_input(dtype, h, w, c, {tile_h, tile_w, random_tile_c(choices, c, combined)});
  } else if (contiguous_is_legal && choices.one_in(2) && c <= kMostChannels) {
    spec = dense_input(dtype, h, w, c);
  } else {
    spec = dense_input(dtype, h, w, c, random_pixel(choices, dtype, c, combined), choices.below(3));
  }
  if (spec.quant) spec.quant = Quant{choices.pick({0.0625f, 0.1f, 0.3f, 1e-3f, 2.0f}), choices.between(-128, 127)};
  if (choices.one_in(4)) add_leading_axes(choices, spec);
  return spec;
}

}  // namespace tessera::boxdecode::testing
