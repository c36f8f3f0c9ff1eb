#pragma once
// What every example does once it has said what its heads are: prepare, execute, print. Public headers only.

#include <tessera/boxdecode.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace example {

namespace bd = tessera::boxdecode;
using tessera::DType;

/// A dense H x W x C tensor, every element `fill`. T: float, std::uint16_t (BF16 words) or std::int8_t.
template <class T>
class Head {
 public:
  Head(std::int64_t h, std::int64_t w, std::int64_t c, T fill = T{})
      : w_(w), c_(c), spec_{{h, w, c}, kType}, values_(static_cast<std::size_t>(h * w * c), fill) {}

  /// Elements of cell (row, col), from `channel` on.
  void set(std::int64_t row, std::int64_t col, std::int64_t channel, std::initializer_list<T> values) {
    std::size_t at = static_cast<std::size_t>((row * w_ + col) * c_ + channel);
    for (const T value : values) values_[at++] = value;
  }
  void quantize(float scale, std::int32_t zero_point) { spec_.quant = tessera::Quant{scale, zero_point}; }
  const tessera::TensorSpec& spec() const { return spec_; }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(values_)); }

 private:
  static constexpr DType kType = std::is_same_v<T, float>         ? DType::Float32
                                 : std::is_same_v<T, std::int8_t> ? DType::Int8
                                                                  : DType::BFloat16;
  std::int64_t w_, c_;
  tessera::TensorSpec spec_;
  std::vector<T> values_;
};

/// The inputs in port order.
struct Inputs {
  std::vector<tessera::TensorSpec> specs;
  std::vector<std::span<const std::byte>> bytes;

  template <class... Heads>
  explicit Inputs(const Heads&... heads) : specs{heads.spec()...}, bytes{heads.bytes()...} {}
  /// One more, of floats; they must outlive this.
  void add(tessera::Shape shape, std::span<const float> values) {
    specs.push_back({shape, DType::Float32});
    bytes.push_back(std::as_bytes(values));
  }
};

/// Boxes as floats; keypoints or masks where the task has them.
inline std::vector<tessera::TensorSpec> output_specs(const bd::Params& p, const Inputs& in) {
  const std::int64_t k = p.max_detections;
  std::vector<tessera::TensorSpec> out{
      {{k, 4}, DType::Float32}, {{k}, DType::Float32}, {{k}, DType::Int32}, {{1}, DType::Int32}};
  if (p.task == bd::Task::Pose) out.push_back({{k, p.keypoint_count, p.keypoint_dims}, DType::Float32});
  if (p.task == bd::Task::Segmentation) {
    const tessera::Shape& basis = in.specs[static_cast<std::size_t>(*p.basis)].shape;
    out.push_back({{k, basis[0], basis[1]}, DType::UInt8});
  }
  return out;
}

struct Detections {
  std::int32_t count = 0;
  std::vector<float> boxes, scores, keypoints;
  std::vector<std::int32_t> classes;
  std::vector<std::uint8_t> masks;
};

/// Prepares and executes once. A program that decodes many images keeps plan, workspace and context.
inline bd::Result<Detections> decode(const bd::Params& params, const Inputs& in) {
  const auto outputs = output_specs(params, in);
  const auto plan = bd::check_inference({in.specs, outputs, params});
  if (!plan) return plan.error();

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> workspace((plan->workspace_bytes() + 63) / 64);
  auto context = bd::Context::create(*plan, std::as_writable_bytes(std::span(workspace)));
  if (!context) return context.error();

  const auto k = static_cast<std::size_t>(params.max_detections);
  Detections found{0, std::vector<float>(k * 4), std::vector<float>(k), {}, std::vector<std::int32_t>(k), {}};
  std::vector<std::span<std::byte>> bound{
      std::as_writable_bytes(std::span(found.boxes)), std::as_writable_bytes(std::span(found.scores)),
      std::as_writable_bytes(std::span(found.classes)), std::as_writable_bytes(std::span(&found.count, 1))};
  if (params.task == bd::Task::Pose) {
    found.keypoints.resize(plan->output_bytes(4) / sizeof(float));
    bound.push_back(std::as_writable_bytes(std::span(found.keypoints)));
  }
  if (params.task == bd::Task::Segmentation) {
    found.masks.resize(plan->output_bytes(4));
    bound.push_back(std::as_writable_bytes(std::span(found.masks)));
  }
  if (const auto done = bd::execute(*context, {in.bytes, bound}); !done) return done.error();
  return found;
}

/// "class score x1 y1 x2 y2", nine digits: enough to tell every float.
inline void print(const Detections& found) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(found.count); ++i) {
    const float* box = &found.boxes[4 * i];
    std::printf("class %d  %.9g  %.9g %.9g %.9g %.9g\n", found.classes[i], found.scores[i], box[0], box[1], box[2],
                box[3]);
  }
}

/// Decodes and prints; 0 when that worked.
inline int run(const bd::Params& params, const Inputs& in) {
  const auto found = decode(params, in);
  if (!found) return std::fprintf(stderr, "%s\n", bd::to_string(found.error()).c_str()), 1;
  print(*found);
  return 0;
}

}  // namespace example
