// Two uses of the same bytes: requests bent out of shape must be refused or decoded inside their buffers; proper ones
// must give the bytes of the reference, on every scanner.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "boxdecode/testing/random_case.h"

namespace {

using namespace tessera;
using namespace tessera::boxdecode;
using namespace tessera::boxdecode::testing;

constexpr std::size_t kMostBytes = 1 << 22;

std::int64_t odd_extent(Choices& choices) {
  static constexpr std::int64_t kOdd[] = {
      0,     -1,    1,     2,         7,         16,        1024,      1025,
      32767, 32768, 65536, 1'048'576, 1'048'577, INT64_MAX, INT64_MIN, std::int64_t{1} << 40};
  return kOdd[choices.below(16)];
}

float odd_float(Choices& choices) { return float_of(choices.bits()); }

void bend_spec(Choices& choices, TensorSpec& spec) {
  switch (choices.below(7)) {
    case 0:
      spec.shape[choices.between(0, 5)] = odd_extent(choices);
      break;
    case 1:
      spec.shape.push_back(odd_extent(choices));
      break;
    case 2:
      spec.dtype = static_cast<DType>(choices.below(7));
      break;
    case 3:
      spec.layout = Strided{{odd_extent(choices), odd_extent(choices), odd_extent(choices)}};
      break;
    case 4:
      spec.layout = MlaCBlocked{odd_extent(choices), odd_extent(choices), odd_extent(choices)};
      break;
    case 5:
      spec.quant = Quant{odd_float(choices), static_cast<std::int32_t>(choices.bits())};
      break;
    default:
      spec.layout = Contiguous{};
      break;
  }
}

std::int32_t odd_number(Choices& choices) { return static_cast<std::int32_t>(odd_extent(choices)); }

void bend_numbers(Choices& choices, Params& p) {
  const auto number = [&] { return odd_number(choices); };
  switch (choices.below(13)) {
    case 0:
      p.detection_threshold = odd_float(choices);
      break;
    case 1:
      p.nms_iou_threshold = odd_float(choices);
      break;
    case 2:
      p.max_detections = number();
      break;
    case 3:
      p.num_classes = number();
      break;
    case 4:
      p.model_input_size = {number(), number()};
      break;
    case 5:
      p.original_image_size = {number(), number()};
      break;
    case 6:
      p.candidate_limit = number();
      break;
    case 7:
      p.mosaic = {number(), number()};
      break;
    case 8:
      p.resize = Resize::explicit_size({number(), number()}, number(), number());
      break;
    case 9:
      p.voting = Voting{odd_float(choices)};
      break;
    case 10:
      p.edge_penalty = EdgePenalty{odd_float(choices), odd_float(choices)};
      break;
    case 11:
      p.keypoint_count = number();
      p.keypoint_dims = choices.between(0, 4);
      break;
    default:
      p.anchor_grid.push_back(
          {AnchorLevel::Formula::Exp, odd_float(choices), odd_float(choices), {{odd_float(choices), 1}}});
      break;
  }
}

/// A port that may exist.
std::int32_t some_port(Choices& choices, const Case& c) {
  return choices.between(-1, static_cast<std::int32_t>(c.inputs.size()));
}

void bend_structure(Choices& choices, Case& c) {
  Params& p = c.params;
  const auto port = [&] { return some_port(choices, c); };
  switch (choices.below(10)) {
    case 0:
      p.profile = static_cast<Profile>(choices.below(20));
      break;
    case 1:
      p.task = static_cast<Task>(choices.below(4));
      break;
    case 2:
      p.score_activation = static_cast<ScoreActivation>(choices.below(3));
      break;
    case 3:
      p.heads.push_back(Head::combined(port()));
      break;
    case 4:
      p.heads.push_back(Head::pair(port(), port()));
      break;
    case 5:
      p.heads.push_back(Head::with_objectness(port(), port(), port()));
      break;
    case 6:
      if (!p.heads.empty()) p.heads[0] = p.heads[0].coefficients(port());
      break;
    case 7:
      if (!p.heads.empty()) p.heads.back() = p.heads.back().keypoints(port());
      break;
    case 8:
      p.basis = port();
      break;
    default:
      if (!p.heads.empty()) p.heads.pop_back();
      break;
  }
}

void bend(Choices& choices, Case& c) {
  const std::uint32_t what = choices.below(5);
  if (what == 0) {
    bend_numbers(choices, c.params);
  } else if (what == 1 || c.inputs.empty() || c.outputs.empty()) {
    bend_structure(choices, c);
  } else if (what == 2) {
    bend_spec(choices, c.outputs[choices.below(static_cast<std::uint32_t>(c.outputs.size()))]);
  } else {
    bend_spec(choices, c.inputs[choices.below(static_cast<std::uint32_t>(c.inputs.size()))]);
  }
}

bool small_enough(const Plan& plan, const Case& c) {
  std::size_t sum = plan.workspace_bytes();
  for (std::size_t i = 0; i < c.inputs.size(); ++i) sum += plan.input_bytes(i);
  for (std::size_t i = 0; i < c.outputs.size(); ++i) sum += plan.output_bytes(i);
  return sum <= kMostBytes;
}

void compare(const Case& c) {
  const Outcome want = run_reference(c);
  for (const char* scanner : {"scalar", "avx2", "avx512", "neon"}) {
    Case one = c;
    one.scanner = scanner;
    const auto got = run(one);
    if (!got && got.error().code == ErrorCode::UnsupportedScanner) continue;
    const std::string wrong = got ? difference(*got, want) : to_string(got.error());
    if (wrong.empty()) continue;
    std::fprintf(stderr, "%s: %s\n", scanner, wrong.c_str());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteChoices choices({data, size});
  const std::uint32_t bends = choices.below(4);
  Case c = random_case(choices);
  for (std::uint32_t i = 0; i < bends; ++i) bend(choices, c);
  const auto plan = check_inference(c.request());
  if (!plan) {
    if (to_string(plan.error()).empty() || bends == 0) std::abort();  // an unbent case is valid by construction
    return 0;
  }
  if (!small_enough(*plan, c)) return 0;
  for (std::size_t port = 0; port < c.inputs.size(); ++port) {
    // Exactly what the plan wants, so that the sanitizer sees the first byte beyond. Bent specs want other sizes.
    if (bends == 0 && plan->input_bytes(port) != c.bytes[port].size()) std::abort();
    c.bytes[port].resize(plan->input_bytes(port), std::byte{0x41});
    c.bytes[port].shrink_to_fit();
  }
  compare(c);
  return 0;
}
