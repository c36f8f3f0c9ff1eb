#include "boxdecode/testing/random_case.h"

#include <algorithm>
#include <cmath>

namespace tessera::boxdecode::testing {
namespace {

constexpr Profile kProfiles[] = {Profile::AnchorGridV1, Profile::AnchorGridV1, Profile::YoloV3V1,
                                 Profile::YoloV4V1,     Profile::YoloV5V1,     Profile::YoloV7V1,
                                 Profile::YoloV7TinyV1, Profile::AnchorGridV1};
constexpr DType kDTypes[] = {DType::Float32, DType::BFloat16, DType::Int8};
constexpr float kThresholds[] = {0.0f, 1.4e-45f,    0.001f, 0.25f, 0.45f,      0.49999997f,
                                 0.5f, 0.50000006f, 0.75f,  0.9f,  0.99999994f};
constexpr float kIous[] = {0.0f, 0.25f, 0.45f, 0.5f, 0.75f, 1.0f};

void choose_selection(Choices& choices, Params& p) {
  p.detection_threshold = choices.pick(kThresholds);
  p.nms_iou_threshold = choices.pick(kIous);
  p.max_detections = choices.one_in(3) ? choices.between(1, 3) : choices.between(1, 60);
  p.nms_class_agnostic = choices.one_in(4);
  p.multi_label = choices.one_in(3);
  if (choices.one_in(3)) p.candidate_limit = choices.between(p.multi_label ? 1 : 0, 20);
  if (choices.one_in(4)) p.max_per_class = choices.between(1, 4);
  if (choices.one_in(3)) p.rank_rule = RankRule::PowerHalf125;
  if (choices.one_in(3)) p.voting = Voting{choices.pick({0.0f, 0.3f, 0.75f, 1.0f})};
  if (choices.one_in(2)) p.box_encoding = BoxEncoding::TopLeftXywh;
}

void choose_classes(Choices& choices, Params& p) {
  // Around the widths of registers and of 64-class blocks now and then; mostly few, so that cases stay quick.
  static constexpr std::int32_t kMany[] = {15, 16, 17, 31, 33, 63, 64, 65, 80, 129};
  p.num_classes = choices.one_in(8) ? choices.pick(kMany) : choices.between(1, 9);
}

void choose_mapping(Choices& choices, Case& c) {
  Params& p = c.params;
  const auto size = [&] { return ImageSize{choices.between(1, 3000), choices.between(1, 3000)}; };
  p.original_image_size = size();
  const std::int32_t w = p.model_input_size.width / p.mosaic.cols, h = p.model_input_size.height / p.mosaic.rows;
  switch (choices.below(4)) {
    case 0:
      p.resize = Resize::letterbox();
      break;
    case 1:
      p.resize = Resize::letterbox(Resize::Anchor::TopLeft);
      break;
    case 2: {
      const ImageSize scaled{choices.between(1, w), choices.between(1, h)};
      p.resize =
          Resize::explicit_size(scaled, choices.between(0, w - scaled.width), choices.between(0, h - scaled.height));
      break;
    }
    default:
      break;
  }
  if (!choices.one_in(3)) return;
  for (std::int32_t i = 0; i < p.mosaic.rows * p.mosaic.cols; ++i) c.original_sizes.push_back(size());
}

void choose_mosaic(Choices& choices, Params& p, std::int32_t most) {
  if (!choices.one_in(4)) return;
  p.mosaic = {choices.between(1, most), choices.between(1, most)};
  if (p.mosaic.rows * p.mosaic.cols > 1 && choices.one_in(2))
    p.edge_penalty = EdgePenalty{choices.uniform(0.1f, 1.0f), choices.uniform(0, 20)};
}

AnchorLevel choose_level(Choices& choices, std::int32_t max_slots, bool activated) {
  std::vector<std::array<float, 2>> anchors;
  const std::int32_t slots = choices.between(1, max_slots);
  for (std::int32_t i = 0; i < slots; ++i) {
    anchors.push_back({static_cast<float>(choices.between(1, 80)), static_cast<float>(choices.between(1, 80))});
  }
  if (activated || choices.one_in(3)) return AnchorLevel::square(anchors);
  if (choices.one_in(3)) return AnchorLevel::exp(1.0f, 0.0f, anchors);
  return AnchorLevel::darknet(choices.uniform(1.0f, 2.0f), false, anchors);
}

void add_head(Choices& choices, Case& c, std::int64_t h, std::int64_t w, std::int64_t channels) {
  const DType dtype = choices.pick(kDTypes);
  std::int64_t physical = 0;
  if (dtype != DType::Float32) {
    physical = (channels + 15) / 16 * 16 + 16 * choices.below(2);
    if (physical > 1024) physical = 1024;
    if (physical == channels && choices.one_in(2)) physical = 0;
  } else if (choices.one_in(2)) {
    physical = std::min<std::int64_t>(1024, channels + choices.below(5));
  }
  TensorSpec spec = dense_input(dtype, h, w, channels, physical, physical == 0 ? 0 : choices.below(3));
  if (spec.quant) spec.quant = Quant{choices.pick({0.0625f, 0.1f, 0.3f, 1e-3f, 2.0f}), choices.between(-128, 127)};
  if (choices.one_in(4)) {  // a leading batch axis of 1
    spec.shape = {1, h, w, channels};
    if (auto* strided = std::get_if<Strided>(&spec.layout)) {
      const Shape s = strided->byte_strides;
      strided->byte_strides = {0, s[0], s[1], s[2]};
    }
  }
  c.inputs.push_back(spec);
}

void choose_fixed_heads(Choices& choices, Case& c) {
  Params& p = c.params;
  p.model_input_size = {32 * choices.between(1, 3), 32 * choices.between(1, 3)};
  if (choices.one_in(4)) {
    p.model_input_size = {64, 64};
    choose_mosaic(choices, p, 2);
  }
  for (int i = 0; i < 3; ++i) {
    const std::int32_t stride = 8 << i;
    add_head(choices, c, p.model_input_size.height / stride, p.model_input_size.width / stride,
             3 * (p.num_classes + 5));
  }
}

void choose_grid_heads(Choices& choices, Case& c) {
  Params& p = c.params;
  const bool activated = choices.one_in(3);
  if (activated) p.score_activation = ScoreActivation::Identity;
  choose_mosaic(choices, p, 3);
  const std::int32_t heads = choices.between(1, 4);
  // One unit grid per tile; each head is that grid refined once or twice, so that every stride is whole and square.
  const bool wide = choices.one_in(8);  // rows of more than one block of 64 cells
  const std::int32_t unit_h = choices.between(1, 3) * p.mosaic.rows;
  const std::int32_t unit_w = (wide ? choices.between(30, 70) : choices.between(1, 6)) * p.mosaic.cols;
  p.model_input_size = {unit_w * 12, unit_h * 12};
  for (std::int32_t i = 0; i < heads; ++i) {
    const std::int32_t fine = choices.between(1, 2);
    const std::int32_t most = std::min(16, 1024 / (p.num_classes + 5));
    p.anchor_grid.push_back(choose_level(choices, std::min(most, choices.one_in(4) ? 16 : 3), activated));
    const auto slots = static_cast<std::int64_t>(p.anchor_grid.back().anchors.size());
    add_head(choices, c, unit_h * fine, unit_w * fine, slots * (p.num_classes + 5));
  }
}

/// How the values of one case are drawn.
enum class Mood { logits, few, all_equal, specials, edges, count };

std::uint32_t special_word(Choices& choices) {
  static constexpr std::uint32_t kWords[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
                                             0x7FC00000, 0xFFC00000, 0x7F810000, 0xFF810000, 0xFFFFFFFF, 0x7FFFFFFF,
                                             0x00010000, 0x80010000, 0x00000001, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF,
                                             0x41A00000, 0x41F00000, 0xC2D00000};
  return choices.pick(kWords);
}

/// A logit whose sigmoid is close to the threshold, or one of its neighbours.
std::uint32_t edge_word(Choices& choices, const Params& p) {
  const double t = std::clamp(static_cast<double>(p.detection_threshold), 1e-40, 1 - 1e-8);
  const bool identity = p.score_activation == ScoreActivation::Identity;
  const auto at = bits_of(identity ? static_cast<float>(t) : static_cast<float>(std::log(t / (1 - t))));
  return choices.one_in(2) ? at + choices.below(5) - 2 : at + (choices.below(3) << 16) - 0x10000;
}

std::uint32_t draw(Choices& choices, const Params& p, Mood mood, bool score) {
  switch (mood) {
    case Mood::few:
      return bits_of(choices.pick({-1.0f, 0.0f, 0.5f, 2.0f}));
    case Mood::all_equal:
      return bits_of(1.0f);
    case Mood::specials:
      return choices.one_in(3) ? special_word(choices) : bits_of(choices.uniform(-4, 4));
    case Mood::edges:
      return score && choices.one_in(2) ? edge_word(choices, p) : bits_of(choices.uniform(-1, 3));
    default:
      return bits_of(score ? choices.uniform(-6, 6) : choices.uniform(-2, 2));
  }
}

void fill_head(Choices& choices, Case& c, std::size_t port, Mood mood) {
  const TensorSpec& spec = c.inputs[port];
  const int last = spec.shape.rank() - 1;
  for (std::byte& b : c.bytes[port]) b = static_cast<std::byte>(choices.bits());  // padding: anything
  for (std::int64_t y = 0; y < spec.shape[last - 2]; ++y) {
    for (std::int64_t x = 0; x < spec.shape[last - 1]; ++x) {
      for (std::int64_t channel = 0; channel < spec.shape[last]; ++channel) {
        if (spec.dtype == DType::Int8) {
          c.put_word(port, y, x, channel, mood == Mood::few ? choices.pick({0u, 5u, 127u, 128u}) : choices.bits());
          continue;
        }
        const bool score = channel % (c.params.num_classes + 5) >= 4;
        const std::uint32_t word = draw(choices, c.params, mood, score);
        c.put_word(port, y, x, channel, spec.dtype == DType::BFloat16 ? word >> 16 : word);
      }
    }
  }
}

/// Heads stay in order; the tensors they name are bound to ports in any order.
void shuffle_ports(Choices& choices, Case& c) {
  std::vector<std::int32_t> port_of(c.inputs.size());
  for (std::size_t i = 0; i < port_of.size(); ++i) {
    port_of[i] = static_cast<std::int32_t>(i);
    std::swap(port_of[i], port_of[choices.below(static_cast<std::uint32_t>(i + 1))]);
  }
  std::vector<TensorSpec> inputs(c.inputs.size());
  for (std::size_t head = 0; head < port_of.size(); ++head) {
    c.params.heads.push_back(Head::combined(port_of[head]));
    inputs[static_cast<std::size_t>(port_of[head])] = c.inputs[head];
  }
  c.inputs = std::move(inputs);
}

}  // namespace

Case random_case(Choices& choices) {
  Case c;
  Params& p = c.params;
  p.accept_float32 = true;
  p.profile = choices.pick(kProfiles);
  choose_classes(choices, p);
  choose_selection(choices, p);
  if (p.profile == Profile::AnchorGridV1) {
    choose_grid_heads(choices, c);
  } else {
    choose_fixed_heads(choices, c);
  }
  shuffle_ports(choices, c);
  choose_mapping(choices, c);
  c.fit_outputs(choices.one_in(2) ? DType::Int32 : DType::Float32);
  c.fit_bytes();
  const auto mood = static_cast<Mood>(choices.below(static_cast<std::uint32_t>(Mood::count)));
  for (std::size_t port = 0; port < c.inputs.size(); ++port) fill_head(choices, c, port, mood);
  return c;
}

}  // namespace tessera::boxdecode::testing
