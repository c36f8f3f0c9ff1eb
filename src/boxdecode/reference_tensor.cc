#include "boxdecode/reference_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tessera::boxdecode::reference {
namespace {

Raw from_int8(std::byte byte, const Quant& quant) {
  const auto q = static_cast<std::int8_t>(byte);
  const auto difference = static_cast<float>(q - quant.zero_point);
  return {difference * quant.scale, 0, q};
}

Raw from_float_bits(std::uint32_t bits) {
  Raw raw{0.0f, 0, bits};
  std::memcpy(&raw.value, &bits, 4);
  if (std::isnan(raw.value)) raw.group = std::signbit(raw.value) ? -1 : 1;
  return raw;
}

Raw from_bf16(std::byte low, std::byte high) {
  return from_float_bits(std::to_integer<std::uint32_t>(high) << 24 | std::to_integer<std::uint32_t>(low) << 16);
}

Raw read_dense(const TensorSpec& spec, const std::byte* at) {
  if (spec.dtype == DType::Int8) return from_int8(*at, *spec.quant);
  if (spec.dtype == DType::BFloat16) return from_bf16(at[0], at[1]);
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, 4);
  return from_float_bits(bits);
}

void expand_dense(const TensorSpec& spec, const std::byte* bytes, Logical& tensor) {
  const int last = spec.shape.rank() - 1;
  const std::int64_t element = element_size(spec.dtype);
  std::int64_t pixel = tensor.c * element, row = tensor.w * pixel;
  if (const auto* strided = std::get_if<Strided>(&spec.layout)) {
    row = strided->byte_strides[last - 2];
    pixel = strided->byte_strides[last - 1];
  }
  auto raw = tensor.raws.begin();
  for (std::int64_t y = 0; y < tensor.h; ++y) {
    for (std::int64_t x = 0; x < tensor.w; ++x) {
      for (std::int64_t c = 0; c < tensor.c; ++c) *raw++ = read_dense(spec, bytes + y * row + x * pixel + c * element);
    }
  }
}

// One pixel of a stripe: 16 lanes (BFloat16: 16 low bytes, then 16 high ones), of which the first `lanes` are real.
void read_group(const TensorSpec& spec, const std::byte* group, std::int64_t lanes, Raw* channels) {
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    channels[lane] =
        spec.dtype == DType::Int8 ? from_int8(group[lane], *spec.quant) : from_bf16(group[lane], group[16 + lane]);
  }
}

// A walk over memory in the order in which it is stored; nothing is computed from a position but what is found there.
void expand_blocked(const TensorSpec& spec, const std::byte* next, Logical& tensor) {
  const auto& tile = std::get<MlaCBlocked>(spec.layout);
  const std::int64_t group_bytes = 16 * element_size(spec.dtype);
  for (std::int64_t c0 = 0; c0 < tensor.c; c0 += tile.tile_c) {
    const std::int64_t c_end = std::min(tensor.c, c0 + tile.tile_c);
    for (std::int64_t y0 = 0; y0 < tensor.h; y0 += tile.tile_h) {
      const std::int64_t y_end = std::min(tensor.h, y0 + tile.tile_h);
      for (std::int64_t x0 = 0; x0 < tensor.w; x0 += tile.tile_w) {
        const std::int64_t x_end = std::min(tensor.w, x0 + tile.tile_w);
        for (std::int64_t first = c0; first < c_end; first += 16) {  // stripes
          for (std::int64_t y = y0; y < y_end; ++y) {
            for (std::int64_t x = x0; x < x_end; ++x) {
              Raw* channels = &tensor.raws[static_cast<std::size_t>((y * tensor.w + x) * tensor.c + first)];
              read_group(spec, next, std::min<std::int64_t>(16, c_end - first), channels);
              next += group_bytes;
            }
          }
        }
      }
    }
  }
}

}  // namespace

bool ranks_above(const Raw& a, const Raw& b) {
  if (a.group != b.group) return a.group > b.group;
  return a.group == 0 ? a.value > b.value : (a.group == 1 ? a.bits > b.bits : a.bits < b.bits);
}

Logical expand(const TensorSpec& spec, std::span<const std::byte> bytes) {
  const int last = spec.shape.rank() - 1;
  Logical tensor{spec.shape[last - 2], spec.shape[last - 1], spec.shape[last], spec.dtype == DType::Int8, 0, {}};
  if (tensor.int8) tensor.zero_point = spec.quant->zero_point;
  tensor.raws.resize(static_cast<std::size_t>(tensor.h * tensor.w * tensor.c));
  if (std::holds_alternative<MlaCBlocked>(spec.layout)) {
    expand_blocked(spec, bytes.data(), tensor);
  } else {
    expand_dense(spec, bytes.data(), tensor);
  }
  return tensor;
}

}  // namespace tessera::boxdecode::reference
