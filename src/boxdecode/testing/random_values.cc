#include "boxdecode/testing/random_values.h"

#include <algorithm>
#include <cmath>

namespace tessera::boxdecode::testing {
namespace {

/// How the scores of one case are drawn.
enum class Mood { logits, few, all_equal, all_nan, zeros, infinities, specials, edges, count };
/// And its boxes.
enum class BoxMood { ordinary, coarse, inverted, infinite, specials, count };

/// What an element is, as far as its values go.
enum class Use { score, box, other };

std::uint32_t special_word(Choices& choices) {
  static constexpr std::uint32_t kWords[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
                                             0x7FC00000, 0xFFC00000, 0x7F810000, 0xFF810000, 0xFFFFFFFF, 0x7FFFFFFF,
                                             0x00010000, 0x80010000, 0x00000001, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF,
                                             0x41A00000, 0x41F00000, 0xC2D00000};
  return choices.pick(kWords);
}

/// The number whose activation is the threshold, about.
float edge(const Params& p) {
  const double t = std::clamp(static_cast<double>(p.detection_threshold), 1e-40, 1 - 1e-8);
  const bool identity = p.score_activation == ScoreActivation::Identity;
  return static_cast<float>(identity ? t : std::log(t / (1 - t)));
}

std::uint32_t edge_word(Choices& choices, const Params& p) {
  const std::uint32_t at = bits_of(edge(p));
  return choices.one_in(2) ? at + choices.below(5) - 2 : at + (choices.below(3) << 16) - 0x10000;
}

std::uint32_t score_word(Choices& choices, const Params& p, Mood mood) {
  switch (mood) {
    case Mood::few:
      return bits_of(choices.pick({-1.0f, 0.0f, 0.5f, 2.0f}));
    case Mood::all_equal:
      return bits_of(1.0f);
    case Mood::all_nan:
      return choices.pick({0x7FC00000u, 0xFFC00000u, 0x7F810000u, 0xFFFFFFFFu});
    case Mood::zeros:
      return choices.pick({0x00000000u, 0x80000000u});
    case Mood::infinities:
      return choices.one_in(3) ? bits_of(choices.uniform(-2, 4)) : choices.pick({0x7F800000u, 0xFF800000u});
    case Mood::specials:
      return choices.one_in(3) ? special_word(choices) : bits_of(choices.uniform(-4, 4));
    case Mood::edges:
      return choices.one_in(2) ? edge_word(choices, p) : bits_of(choices.uniform(-1, 3));
    default:
      return bits_of(choices.uniform(-6, 6));
  }
}

std::uint32_t box_word(Choices& choices, BoxMood mood) {
  switch (mood) {
    case BoxMood::coarse:
      return bits_of(choices.pick({0.5f, 1.0f, 1.5f, 2.0f}));
    case BoxMood::inverted:
      return bits_of(choices.uniform(-3, 1));
    case BoxMood::infinite:
      return choices.one_in(6) ? special_word(choices) : bits_of(choices.uniform(0, 90));  // exp(89) overflows
    case BoxMood::specials:
      return choices.one_in(8) ? special_word(choices) : bits_of(choices.uniform(-2, 2));
    default:
      return bits_of(choices.uniform(-0.5f, 3));
  }
}

struct Moods {
  Mood score;
  BoxMood box;
};

std::uint32_t float_word(Choices& choices, const Params& p, Moods moods, Use use) {
  if (use == Use::score) return score_word(choices, p, moods.score);
  if (use == Use::box) return box_word(choices, moods.box);
  if (moods.score == Mood::few) return bits_of(choices.pick({-1.0f, 0.0f, 1.0f}));  // sums that are exactly 0
  return choices.one_in(200) ? special_word(choices) : bits_of(choices.uniform(-2, 2));
}

std::uint32_t int8_word(Choices& choices, const Params& p, Moods moods, Use use, const Quant& quant) {
  if (use == Use::box) return moods.box == BoxMood::coarse ? choices.pick({5u, 10u, 20u}) : choices.bits();
  switch (moods.score) {
    case Mood::few:
      return choices.pick({0u, 5u, 127u, 128u});
    case Mood::all_equal:
      return 128u + static_cast<std::uint32_t>(p.num_classes % 3);  // -128, -127, -126
    case Mood::edges: {
      const double at = std::clamp(static_cast<double>(edge(p) / quant.scale) + quant.zero_point, -128.0, 127.0);
      const auto q = static_cast<std::int32_t>(at) + choices.between(-2, 2);
      return static_cast<std::uint32_t>(std::clamp(q, -128, 127));
    }
    default:
      return choices.bits();
  }
}

Use use_of(const Case& c, std::size_t port, std::int64_t channel) {
  const auto is = [port](std::int32_t other) { return other == static_cast<std::int32_t>(port); };
  for (const Head& head : c.params.heads) {
    if (is(head.combined_port)) return channel % (c.params.num_classes + 5) >= 4 ? Use::score : Use::box;
    if (is(head.score_port) || is(head.extra_input)) return Use::score;
    if (is(head.box_port)) return Use::box;
  }
  return Use::other;
}

void fill_input(Choices& choices, Case& c, std::size_t port, Moods moods) {
  for (std::byte& b : c.bytes[port]) b = static_cast<std::byte>(choices.bits());  // padding: anything
  const TensorSpec& spec = c.inputs[port];
  const int last = spec.shape.rank() - 1;
  for (std::int64_t channel = 0; channel < spec.shape[last]; ++channel) {
    const Use use = use_of(c, port, channel);
    for (std::int64_t y = 0; y < spec.shape[last - 2]; ++y) {
      for (std::int64_t x = 0; x < spec.shape[last - 1]; ++x) {
        if (spec.dtype == DType::Int8) {
          c.put_word(port, y, x, channel, int8_word(choices, c.params, moods, use, *spec.quant));
          continue;
        }
        const std::uint32_t word = float_word(choices, c.params, moods, use);
        c.put_word(port, y, x, channel, spec.dtype == DType::BFloat16 ? word >> 16 : word);
      }
    }
  }
}

}  // namespace

void fill_random(Choices& choices, Case& c) {
  Moods moods;
  moods.score = static_cast<Mood>(choices.below(static_cast<std::uint32_t>(Mood::count)));
  moods.box = static_cast<BoxMood>(choices.below(static_cast<std::uint32_t>(BoxMood::count)));
  for (std::size_t port = 0; port < c.inputs.size(); ++port) fill_input(choices, c, port, moods);
}

}  // namespace tessera::boxdecode::testing
