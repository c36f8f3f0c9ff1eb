// What each step costs on YOLOv4-640 heads (25,200 slots, 80 classes): scanning per scanner and threshold, selection
// with tens of thousands of candidates. Bytes are those a scan must touch: one line of 64 bytes per objectness value.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "boxdecode/testing/bound.h"

namespace tessera::boxdecode::testing {
namespace {

constexpr std::int32_t kClasses = 80, kSlots = 25'200;

/// Logits as detectors emit them: nearly all objectness far below zero, about one slot in `rarity` near or above it.
Case photo_like_case(DType dtype, double rarity) {
  Case c;
  Params& p = c.params;
  p.profile = Profile::YoloV4V1;
  p.model_input_size = p.original_image_size = {640, 640};
  p.num_classes = kClasses;
  p.max_detections = 100;
  p.detection_threshold = 0.25f;
  p.nms_iou_threshold = 0.45f;
  p.accept_float32 = true;
  std::mt19937 engine(7);
  std::normal_distribution<float> background(-9.0f, 1.5f), object(1.0f, 1.5f), box(0.0f, 0.5f);
  std::uniform_real_distribution<double> chance(0, 1);
  for (std::int32_t i = 0; i < 3; ++i) {
    p.heads.push_back(Head::combined(i));
    c.inputs.push_back(dense_input(dtype, 80 >> i, 80 >> i, 255, dtype == DType::Float32 ? 0 : 256));
  }
  c.fit_outputs();
  c.fit_bytes();
  for (std::size_t port = 0; port < 3; ++port) {
    const std::int64_t side = 80 >> port;
    for (std::int64_t slot = 0; slot < side * side * 3; ++slot) {
      const bool hit = chance(engine) < 1 / rarity;
      for (std::int64_t field = 0; field < 85; ++field) {
        const float v = field < 4                                ? box(engine)
                        : hit && (field == 4 || field % 17 == 5) ? object(engine)
                                                                 : background(engine);
        c.put(port, slot / 3 / side, slot / 3 % side, slot % 3 * 85 + field, v);
      }
    }
  }
  return c;
}

void run_case(benchmark::State& state, Case c, const char* scanner) {
  c.scanner = scanner;
  const auto plan = check_inference(c.request());
  if (!plan) {
    state.SkipWithError(to_string(plan.error()).c_str());
    return;
  }
  Bound bound(c);
  ExecStats stats;
  for (auto _ : state) {
    if (!execute(bound.context, bound.bindings(), &stats)) state.SkipWithError("refused");
    benchmark::ClobberMemory();
  }
  state.counters["candidates"] = static_cast<double>(stats.candidates_seen);
  state.counters["kept"] = static_cast<double>(ints(bound.output_bytes[3])[0]);
  state.SetBytesProcessed(state.iterations() * kSlots * 64);
}

void detect(benchmark::State& state, DType dtype, const char* scanner) {
  run_case(state, photo_like_case(dtype, 1000), scanner);
}

/// The evaluator's setting: a low threshold, every class a candidate.
void evaluate(benchmark::State& state, DType dtype, const char* scanner) {
  Case c = photo_like_case(dtype, 30);
  c.params.detection_threshold = 0.001f;
  c.params.multi_label = true;
  c.params.max_detections = 300;
  c.fit_outputs();
  run_case(state, c, scanner);
}

/// The yardstick: how fast this machine reads the same heads from end to end.
void read_heads(benchmark::State& state) {
  const Case c = photo_like_case(DType::Float32, 1000);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const auto& bytes : c.bytes) {
      for (std::size_t i = 0; i + 8 <= bytes.size(); i += 64) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        sum += word;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() * 8400 * 255 * 4);
}

BENCHMARK(read_heads);
BENCHMARK_CAPTURE(detect, f32_scalar, DType::Float32, "scalar");
BENCHMARK_CAPTURE(detect, f32_avx2, DType::Float32, "avx2");
BENCHMARK_CAPTURE(detect, f32_avx512, DType::Float32, "avx512");
BENCHMARK_CAPTURE(detect, bf16_scalar, DType::BFloat16, "scalar");
BENCHMARK_CAPTURE(detect, bf16_avx512, DType::BFloat16, "avx512");
BENCHMARK_CAPTURE(evaluate, f32_scalar, DType::Float32, "scalar")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, f32_avx512, DType::Float32, "avx512")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tessera::boxdecode::testing
