#include "boxdecode/read.h"

namespace tessera::boxdecode {
namespace {

// Calls visit(i, word) for channel first + i.
template <class E, class Visit>
void for_each_word(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
                   std::int64_t count, Visit&& visit) noexcept {
  if (!input.blocked) {
    const std::byte* at = data + y * input.dense.row + x * input.dense.pixel + first * input.dense.element;
    for (std::int64_t i = 0; i < count; ++i) visit(i, load<E>(at + i * input.dense.element));
    return;
  }
  if constexpr (!std::is_same_v<E, F32>) {  // blocked tensors hold BF16 or Int8
    for (std::int64_t i = 0; i < count; ++i) {
      const ChannelPlace place = input.tiles.place(first + i);
      visit(i, lane_word<E>(data + input.tiles.group(place, y, x), place.lane));
    }
  }
}

template <class E>
void values(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
            std::int64_t count, float* out) noexcept {
  for_each_word<E>(input, data, y, x, first, count,
                   [&](std::int64_t i, typename E::Word word) { out[i] = E::value(word, input.quant); });
}

}  // namespace

void read_values(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
                 std::int64_t count, float* out) noexcept {
  switch (input.dtype) {
    case DType::BFloat16:
      return values<BF16>(input, data, y, x, first, count, out);
    case DType::Int8:
      return values<S8>(input, data, y, x, first, count, out);
    default:
      return values<F32>(input, data, y, x, first, count, out);
  }
}

float read_value(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x,
                 std::int64_t channel) noexcept {
  float value = 0;
  read_values(input, data, y, x, channel, 1, &value);
  return value;
}

void read_bytes(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
                std::int64_t count, std::int8_t* out) noexcept {
  for_each_word<S8>(input, data, y, x, first, count,
                    [&](std::int64_t i, std::uint8_t word) { out[i] = static_cast<std::int8_t>(word); });
}

}  // namespace tessera::boxdecode
