#include "boxdecode/heads.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "tensor/npy.h"

namespace tessera::boxdecode::bench {
namespace {

using testing::blocked_input;
using testing::Case;
using testing::dense_input;

constexpr Quant kQuant{0.09375f, 20};  // -13.9 ... 10.0

std::vector<float> generated(std::mt19937& engine, std::int64_t side) {
  std::normal_distribution<float> background(-9.0f, 1.5f), object(1.0f, 1.5f), box(0.0f, 0.5f);
  std::uniform_int_distribution<int> chance(1, 1000);
  std::vector<float> out;
  for (std::int64_t slot = 0; slot < side * side * 3; ++slot) {
    const bool hit = chance(engine) == 1;
    for (int field = 0; field < kSlotChannels; ++field) {
      const bool high = hit && (field == 4 || field % 17 == 5);
      out.push_back(field < 4 ? box(engine) : high ? object(engine) : background(engine));
    }
  }
  return out;
}

std::vector<float> from_file(const std::string& path, std::int64_t side) {
  const auto array = read_npy(path);
  if (!array || array->data.size() != static_cast<std::size_t>(side * side * 255)) {
    std::fprintf(stderr, "%s: wants 255 x %ld x %ld values\n", path.c_str(), static_cast<long>(side),
                 static_cast<long>(side));
    std::exit(1);
  }
  std::vector<float> out(array->data.size());
  const auto cells = static_cast<std::size_t>(side * side);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = array->data[i % 255 * cells + i / 255];  // NCHW -> NHWC
  return out;
}

Heads make_heads() {
  Heads out;
  const char* folder = std::getenv("BOXDECODE_HEADS");
  out.origin = folder != nullptr ? folder : "generated";
  std::mt19937 engine(7);
  for (std::size_t level = 0; level < 3; ++level) {
    const std::int64_t side = Heads::side(level);
    out.data[level] = folder != nullptr ? from_file(out.origin + "/p" + std::to_string(level + 3) + ".npy", side)
                                        : generated(engine, side);
  }
  return out;
}

void put_value(Case& c, std::size_t port, std::int64_t y, std::int64_t x, std::int64_t channel, float value) {
  if (c.inputs[port].dtype != DType::Int8) return c.put(port, y, x, channel, value);
  const float q = std::nearbyint(value / kQuant.scale) + static_cast<float>(kQuant.zero_point);
  c.put_word(port, y, x, channel, static_cast<std::uint32_t>(static_cast<int>(std::clamp(q, -128.0f, 127.0f))));
}

TensorSpec input(DType dtype, Memory memory, std::int64_t side, std::int64_t channels, std::int64_t tile_c,
                 std::int64_t physical = 0) {
  TensorSpec spec = memory == Memory::dense ? dense_input(dtype, side, side, channels, physical)
                                            : blocked_input(dtype, side, side, channels, {8, side, tile_c});
  if (dtype == DType::Int8) spec.quant = kQuant;
  return spec;
}

Params params_of(Profile profile, std::int32_t classes) {
  Params p;
  p.profile = profile;
  p.model_input_size = p.original_image_size = {640, 640};
  p.num_classes = classes;
  p.max_detections = 100;
  p.detection_threshold = 0.25f;
  p.nms_iou_threshold = 0.45f;
  p.accept_float32 = true;
  return p;
}

template <class Fill>
void fill(Case& c, Fill&& fill_cell) {
  c.fit_outputs();
  c.fit_bytes();
  for (std::size_t level = 0; level < 3; ++level) {
    const std::int64_t side = Heads::side(level);
    for (std::int64_t i = 0; i < side * side; ++i) fill_cell(level, i / side, i % side);
  }
}

/// The logit of a product of two probabilities.
float product_logit(float a, float b) {
  const double p = 1 / (1 + std::exp(-static_cast<double>(a))) / (1 + std::exp(-static_cast<double>(b)));
  return static_cast<float>(std::log(p / (1 - p)));
}

}  // namespace

const Heads& heads() {
  static const Heads all = make_heads();
  return all;
}

Case combined_case(DType dtype, Memory memory) {
  Case c;
  c.params = params_of(Profile::YoloV4V1, kClasses);
  for (std::size_t level = 0; level < 3; ++level) {
    c.params.heads.push_back(Head::combined(static_cast<std::int32_t>(level)));
    c.inputs.push_back(input(dtype, memory, Heads::side(level), 255, 256, dtype == DType::Float32 ? 0 : 256));
  }
  fill(c, [&](std::size_t level, std::int64_t y, std::int64_t x) {
    for (std::int64_t k = 0; k < 255; ++k) put_value(c, level, y, x, k, heads().at(level, y, x, k));
  });
  return c;
}

Case pair_case(DType dtype, Memory memory, std::int32_t classes, std::int64_t tile_c) {
  Case c;
  c.params = params_of(Profile::Yolo26RawLtrb, classes);
  c.params.score_activation = ScoreActivation::Sigmoid;
  for (std::size_t level = 0; level < 3; ++level) {
    const auto port = static_cast<std::int32_t>(2 * level);
    c.params.heads.push_back(Head::pair(port, port + 1));
    c.inputs.push_back(input(dtype, Memory::dense, Heads::side(level), 4, 0));
    c.inputs.push_back(input(dtype, memory, Heads::side(level), classes, tile_c));
  }
  fill(c, [&](std::size_t level, std::int64_t y, std::int64_t x) {
    const float objectness = heads().at(level, y, x, 4);
    for (std::int64_t k = 0; k < 4; ++k) put_value(c, 2 * level, y, x, k, 1.0f + 0.25f * static_cast<float>(k));
    for (std::int64_t k = 0; k < classes; ++k) {
      put_value(c, 2 * level + 1, y, x, k, product_logit(objectness, heads().at(level, y, x, 5 + k)));
    }
  });
  return c;
}

Case objectness_case(DType dtype, Memory memory) {
  Case c;
  c.params = params_of(Profile::YoloXV1, kClasses);
  c.params.score_activation = ScoreActivation::Sigmoid;
  for (std::size_t level = 0; level < 3; ++level) {
    const auto port = static_cast<std::int32_t>(3 * level);
    c.params.heads.push_back(Head::with_objectness(port, port + 1, port + 2));
    c.inputs.push_back(input(dtype, Memory::dense, Heads::side(level), 4, 0));
    c.inputs.push_back(input(dtype, memory, Heads::side(level), 1, 1));
    c.inputs.push_back(input(dtype, memory, Heads::side(level), kClasses, kClasses));
  }
  fill(c, [&](std::size_t level, std::int64_t y, std::int64_t x) {
    for (std::int64_t k = 0; k < kSlotChannels; ++k) {
      const std::size_t port = 3 * level + (k < 4 ? 0 : k == 4 ? 1 : 2);
      put_value(c, port, y, x, k < 4 ? k : k == 4 ? 0 : k - 5, heads().at(level, y, x, k));
    }
  });
  return c;
}

}  // namespace tessera::boxdecode::bench
