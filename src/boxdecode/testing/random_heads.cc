#include "boxdecode/testing/random_heads.h"

#include <algorithm>

#include "boxdecode/testing/random_tensor.h"

namespace tessera::boxdecode::testing {
namespace {

using enum Profile;

// Grouped by kind of head, so that each kind comes often enough.
constexpr Profile kCombined[] = {AnchorGridV1, AnchorGridV1, AnchorGridV1, YoloV3V1,
                                 YoloV4V1,     YoloV5V1,     YoloV7V1,     YoloV7TinyV1};
constexpr Profile kPairs[] = {Yolo26RawLtrb, Yolo26RawLtrb, Yolo26RawLtrb, YoloV6V1, YoloV6V1,
                              YoloV8V1,      YoloV9V1,      YoloV10V1,     Yolo11V1};

Head::Kind kind_of(Profile profile) {
  if (profile == YoloXV1) return Head::Kind::Objectness;
  return std::ranges::find(kPairs, profile) == std::end(kPairs) ? Head::Kind::Combined : Head::Kind::Pair;
}

bool has_pose(Profile profile) { return profile == Yolo26RawLtrb || profile == YoloV8V1 || profile == Yolo11V1; }
bool has_masks(Profile profile) {
  return has_pose(profile) || profile == YoloV9V1 || profile == YoloV5V1 || profile == YoloV7V1 ||
         profile == YoloV7TinyV1;
}

// Widths at which routes differ (one class, whole stripes, one lane more) about as often as any others.
std::int32_t random_classes(Choices& choices) {
  switch (choices.below(6)) {
    case 0:
      return 1;
    case 1:
      return choices.pick({16, 32, 48});
    case 2:
      return choices.pick({17, 33, 49, 65});
    case 3:
      return choices.one_in(3) ? choices.pick({15, 31, 63, 64, 80, 129, 255, 256}) : choices.between(2, 20);
    default:
      return choices.between(1, 9);
  }
}

void choose_task(Choices& choices, Params& p) {
  if (has_masks(p.profile) && choices.one_in(4)) p.task = Task::Segmentation;
  if (has_pose(p.profile) && choices.one_in(4)) p.task = Task::Pose;
  p.keypoint_dims = choices.between(2, 3);
  p.keypoint_count = choices.one_in(4) ? 17 : choices.between(1, 5);
}

/// Cells of the coarsest head; a finer one has twice as many each way.
struct Canvas {
  std::int32_t h, w;
};

Canvas choose_canvas(Choices& choices, Params& p) {
  if (p.task == Task::Detection && choices.one_in(4)) {
    p.mosaic = {choices.between(1, 3), choices.between(1, 3)};
    if (p.mosaic.rows * p.mosaic.cols > 1 && choices.one_in(2))
      p.edge_penalty = EdgePenalty{choices.uniform(0.1f, 1.0f), choices.uniform(0, 20)};
  }
  const bool wide = choices.one_in(10);  // rows of more than one block of 64 cells
  const std::int32_t w = wide ? choices.between(30, 70) : choices.between(1, 6);
  const Canvas canvas{choices.between(1, wide ? 2 : 5) * p.mosaic.rows, w * p.mosaic.cols};
  p.model_input_size = {canvas.w * 12, canvas.h * 12};
  return canvas;
}

/// Appends an input and returns its index, which becomes its port once ports are shuffled.
std::int32_t add(Choices& choices, Case& c, DType dtype, std::int64_t h, std::int64_t w, std::int64_t channels,
                 bool combined = false) {
  c.inputs.push_back(random_tensor(choices, dtype, h, w, channels, combined));
  return static_cast<std::int32_t>(c.inputs.size()) - 1;
}

std::int32_t prototypes(Choices& choices, Case& c) {
  const std::int32_t nm = choices.one_in(6) ? choices.pick({16, 17, 32, 33}) : choices.between(1, 6);
  c.params.basis = add(choices, c, random_dtype(choices), choices.between(1, 9), choices.between(1, 9), nm);
  return nm;
}

// ---- combined heads

AnchorLevel choose_level(Choices& choices, const Params& p) {
  const bool activated = p.score_activation == ScoreActivation::Identity;
  const std::int32_t most = std::min(choices.one_in(4) ? 16 : 3, 1024 / (p.num_classes + 5));
  std::vector<std::array<float, 2>> anchors;
  for (std::int32_t slots = choices.between(1, most); slots > 0; --slots) {
    anchors.push_back({static_cast<float>(choices.between(1, 80)), static_cast<float>(choices.between(1, 80))});
  }
  if (activated || choices.one_in(3)) return AnchorLevel::square(anchors);
  if (choices.one_in(3)) return AnchorLevel::exp(1.0f, 0.0f, anchors);
  return AnchorLevel::darknet(choices.uniform(1.0f, 2.0f), false, anchors);
}

void add_combined(Choices& choices, Case& c, std::int64_t h, std::int64_t w, std::int64_t slots, std::int64_t nm) {
  const DType dtype = random_dtype(choices);
  Head head = Head::combined(add(choices, c, dtype, h, w, slots * (c.params.num_classes + 5), true));
  if (nm > 0) head = head.coefficients(add(choices, c, dtype, h, w, slots * nm));
  c.params.heads.push_back(head);
}

void choose_fixed_heads(Choices& choices, Case& c) {
  Params& p = c.params;
  const bool mosaic = p.task == Task::Detection && choices.one_in(4);
  p.model_input_size = {32 * choices.between(1, 3), 32 * choices.between(1, 3)};
  if (mosaic) {
    p.mosaic = {choices.between(1, 2), choices.between(1, 2)};
    p.model_input_size = {64, 64};
    if (p.mosaic.rows * p.mosaic.cols > 1 && choices.one_in(2)) p.edge_penalty = EdgePenalty{};
  }
  const std::int32_t nm = p.task == Task::Segmentation ? prototypes(choices, c) : 0;
  for (int i = 0; i < 3; ++i) {
    const std::int32_t stride = 8 << i;
    add_combined(choices, c, p.model_input_size.height / stride, p.model_input_size.width / stride, 3, nm);
  }
}

void choose_grid_heads(Choices& choices, Case& c) {
  Params& p = c.params;
  const Canvas canvas = choose_canvas(choices, p);
  for (std::int32_t heads = choices.between(1, 4); heads > 0; --heads) {
    const std::int32_t fine = choices.between(1, 2);
    p.anchor_grid.push_back(choose_level(choices, p));
    const auto slots = static_cast<std::int64_t>(p.anchor_grid.back().anchors.size());
    add_combined(choices, c, canvas.h * fine, canvas.w * fine, slots, 0);
  }
}

// ---- pair and objectness heads

std::int64_t box_channels(Choices& choices, Profile profile) {
  if (profile == Yolo26RawLtrb || profile == YoloXV1) return 4;
  if (profile == YoloV6V1) return choices.one_in(2) ? 4 : 68;
  return 64;
}

void choose_separate_heads(Choices& choices, Case& c) {
  Params& p = c.params;
  const Canvas canvas = choose_canvas(choices, p);
  const std::int64_t sides = box_channels(choices, p.profile);
  const std::int32_t nm = p.task == Task::Segmentation ? prototypes(choices, c) : 0;
  for (std::int32_t heads = choices.between(1, 3); heads > 0; --heads) {
    const DType dtype = random_dtype(choices);
    const std::int32_t fine = choices.between(1, 2);
    const auto tensor = [&](std::int64_t channels) {
      return add(choices, c, dtype, canvas.h * fine, canvas.w * fine, channels);
    };
    const std::int32_t box = tensor(sides), score = tensor(p.num_classes);
    Head head = p.profile == YoloXV1 ? Head::with_objectness(box, tensor(1), score) : Head::pair(box, score);
    if (nm > 0) head = head.coefficients(tensor(nm));
    if (p.task == Task::Pose) head = head.keypoints(tensor(std::int64_t{p.keypoint_count} * p.keypoint_dims));
    p.heads.push_back(head);
  }
}

/// Heads stay in order; the tensors they name are bound to ports in any order.
void shuffle_ports(Choices& choices, Case& c) {
  std::vector<std::int32_t> port_of(c.inputs.size());
  for (std::size_t i = 0; i < port_of.size(); ++i) {
    port_of[i] = static_cast<std::int32_t>(i);
    std::swap(port_of[i], port_of[choices.below(static_cast<std::uint32_t>(i + 1))]);
  }
  const auto move = [&](std::int32_t& port) {
    if (port >= 0) port = port_of[static_cast<std::size_t>(port)];
  };
  for (Head& head : c.params.heads) {
    for (std::int32_t* port : {&head.combined_port, &head.box_port, &head.score_port, &head.extra_input,
                               &head.coefficients_port, &head.keypoints_port}) {
      move(*port);
    }
  }
  if (c.params.basis) move(*c.params.basis);
  std::vector<TensorSpec> inputs(c.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[static_cast<std::size_t>(port_of[i])] = c.inputs[i];
  c.inputs = std::move(inputs);
}

}  // namespace

void choose_profile(Choices& choices, Params& p) {
  const std::uint32_t kind = choices.below(8);
  p.profile = kind < 2 ? choices.pick(kCombined) : (kind == 2 ? YoloXV1 : choices.pick(kPairs));
  p.num_classes = random_classes(choices);
  choose_task(choices, p);
  const bool identity = choices.one_in(3);
  if (kind_of(p.profile) != Head::Kind::Combined) {
    p.score_activation = identity ? ScoreActivation::Identity : ScoreActivation::Sigmoid;
  } else if (p.profile == AnchorGridV1 && identity) {
    p.score_activation = ScoreActivation::Identity;  // tensors that come activated
  } else if (choices.one_in(4)) {
    p.score_activation = ScoreActivation::Sigmoid;  // what is derived may be said
  }
}

void choose_heads(Choices& choices, Case& c) {
  if (kind_of(c.params.profile) != Head::Kind::Combined) {
    choose_separate_heads(choices, c);
  } else if (c.params.profile == AnchorGridV1) {
    choose_grid_heads(choices, c);
  } else {
    choose_fixed_heads(choices, c);
  }
  shuffle_ports(choices, c);
}

}  // namespace tessera::boxdecode::testing
