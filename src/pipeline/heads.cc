#include "pipeline/heads.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "pipeline/decode_error.h"

namespace tessera {
namespace {

/// HxWxC floats, pixels pixel_stride floats apart, as they lie.
TensorSpec head_spec(const HeadMemory& memory) {
  const TensorRef& head = memory.tensor;
  TensorSpec spec;
  spec.shape = {head.h, head.w, head.c};
  const std::int64_t pixel = 4 * (memory.is_slice ? head.c : head.pixel_stride);
  spec.layout = Strided{{head.w * pixel, pixel, 4}};
  return spec;
}

std::array<TensorSpec, 4> output_specs(std::int64_t rows, std::int64_t images) {
  if (images == 1) {
    return {TensorSpec{{rows, 4}}, TensorSpec{{rows}}, TensorSpec{{rows}, DType::Int32}, TensorSpec{{1}, DType::Int32}};
  }
  return {TensorSpec{{images, rows, 4}}, TensorSpec{{images, rows}}, TensorSpec{{images, rows}, DType::Int32},
          TensorSpec{{images}, DType::Int32}};
}

std::span<std::byte> align(std::vector<std::byte>& bytes, std::size_t size, std::size_t alignment) {
  void* at = bytes.data();
  std::size_t space = bytes.size();
  return {static_cast<std::byte*>(std::align(alignment, size, at, space)), size};
}

}  // namespace

std::vector<HeadMemory> heads_in_memory(const Executable& executable, const ExecutionContext& context) {
  std::vector<HeadMemory> heads;
  for (const ValueId id : executable.graph().outputs) {
    const Placement& placement = executable.memory().placements[static_cast<std::size_t>(id)];
    heads.push_back({context.output(heads.size()), placement.channel != 0});
  }
  return heads;
}

Result<boxdecode::Plan> plan_heads(std::span<const HeadMemory> heads, const boxdecode::Params& params) {
  std::vector<TensorSpec> inputs;
  for (const HeadMemory& head : heads) inputs.push_back(head_spec(head));
  const auto outputs = output_specs(params.max_detections, std::int64_t{params.mosaic.rows} * params.mosaic.cols);
  auto plan = boxdecode::check_inference({inputs, outputs, params});
  if (!plan) return to_error(plan.error());
  return *plan;
}

Result<HeadDecoder> HeadDecoder::create(const boxdecode::Plan& plan, std::span<const HeadMemory> heads,
                                        int max_detections) {
  Workspace workspace;
  workspace.bytes.resize(plan.workspace_bytes() + plan.workspace_alignment());
  workspace.aligned = align(workspace.bytes, plan.workspace_bytes(), plan.workspace_alignment());
  auto context = boxdecode::Context::create(plan, workspace.aligned);
  if (!context) return to_error(context.error());
  HeadDecoder decoder(std::move(workspace), std::move(*context));
  decoder.counts_.resize(plan.image_count());
  decoder.sizes_.resize(plan.image_count());
  const std::size_t rows = static_cast<std::size_t>(max_detections) * plan.image_count();
  decoder.boxes_.resize(rows * 4);
  decoder.scores_.resize(rows);
  decoder.classes_.resize(rows);
  decoder.inputs_.resize(heads.size());
  decoder.copies_.resize(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    decoder.input_bytes_.push_back(plan.input_bytes(i));
    if (heads[i].is_slice) decoder.copies_[i].resize(plan.input_bytes(i) / sizeof(float));
  }
  return decoder;
}

void HeadDecoder::copy_slice(const TensorRef& head, std::size_t index) noexcept {
  float* to = copies_[index].data();
  const float* from = head.data;
  for (std::int64_t pixel = 0; pixel < head.h * head.w; ++pixel, from += head.pixel_stride, to += head.c) {
    std::copy_n(from, head.c, to);
  }
}

void HeadDecoder::take(std::size_t image, std::vector<Detection>& out) const {
  const std::size_t first = image * (scores_.size() / counts_.size());
  out.resize(static_cast<std::size_t>(counts_[image]));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float* box = boxes_.data() + 4 * (first + i);
    out[i] = {classes_[first + i], scores_[first + i], box[0], box[1], box[2], box[3]};
  }
}

Status HeadDecoder::decode(const ExecutionContext& context, std::span<const boxdecode::ImageSize> photos,
                           std::span<std::vector<Detection>> out) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const TensorRef head = context.output(i);
    if (!copies_[i].empty()) copy_slice(head, i);
    const float* data = copies_[i].empty() ? head.data : copies_[i].data();
    inputs_[i] = {reinterpret_cast<const std::byte*>(data), input_bytes_[i]};
  }
  std::ranges::copy(photos, sizes_.begin());
  std::fill(sizes_.begin() + static_cast<std::ptrdiff_t>(photos.size()), sizes_.end(), boxdecode::ImageSize{1, 1});
  const std::array<std::span<std::byte>, 4> outputs{
      std::as_writable_bytes(std::span(boxes_)), std::as_writable_bytes(std::span(scores_)),
      std::as_writable_bytes(std::span(classes_)), std::as_writable_bytes(std::span(counts_))};
  const auto done = boxdecode::execute(context_, {inputs_, outputs, sizes_});
  if (!done) return to_error(done.error());
  for (std::size_t image = 0; image < photos.size(); ++image) take(image, out[image]);
  return {};
}

}  // namespace tessera
