#include "boxdecode/testing/case.h"

#include "base/text.h"

namespace tessera::boxdecode::testing {

std::int64_t Case::offset(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c) const {
  const TensorSpec& spec = inputs[port];
  const int last = spec.shape.rank() - 1;
  const std::int64_t element = element_size(spec.dtype);
  std::int64_t pixel = spec.shape[last] * element, row = spec.shape[last - 1] * pixel;
  if (const auto* strided = std::get_if<Strided>(&spec.layout)) {
    row = strided->byte_strides[last - 2];
    pixel = strided->byte_strides[last - 1];
  }
  return y * row + x * pixel + c * element;
}

void Case::put_word(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, std::uint32_t word) {
  std::memcpy(bytes[port].data() + offset(port, y, x, c), &word,
              static_cast<std::size_t>(element_size(inputs[port].dtype)));
}

void Case::put(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, float value) {
  const std::uint32_t word = bits_of(value);
  put_word(port, y, x, c, inputs[port].dtype == DType::BFloat16 ? word >> 16 : word);
}

void Case::fit_outputs(DType boxes) {
  const std::int64_t k = params.max_detections, n = std::int64_t{params.mosaic.rows} * params.mosaic.cols;
  outputs.assign(4, {});
  outputs[0].shape = n == 1 ? Shape{k, 4} : Shape{n, k, 4};
  outputs[1].shape = outputs[2].shape = n == 1 ? Shape{k} : Shape{n, k};
  outputs[3].shape = {n};
  outputs[0].dtype = boxes;
  outputs[2].dtype = outputs[3].dtype = DType::Int32;
}

void Case::fit_bytes(std::byte fill) {
  bytes.clear();
  for (std::size_t port = 0; port < inputs.size(); ++port) {
    const TensorSpec& spec = inputs[port];
    const int last = spec.shape.rank() - 1;
    const std::int64_t y = spec.shape[last - 2] - 1, x = spec.shape[last - 1] - 1;
    const auto end = offset(port, y, x + 1, 0);  // with the padding of the last pixel
    bytes.emplace_back(static_cast<std::size_t>(end), fill);
  }
}

TensorSpec dense_input(DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t pixel_channels,
                       std::int64_t row_gap) {
  TensorSpec spec;
  spec.shape = {h, w, c};
  spec.dtype = dtype;
  const std::int64_t element = element_size(dtype);
  if (pixel_channels != 0) {
    spec.layout = Strided{{(w * pixel_channels + row_gap) * element, pixel_channels * element, element}};
  }
  if (dtype == DType::Int8) spec.quant = Quant{0.0625f, 0};
  return spec;
}

namespace {

Params base_params(std::int32_t classes) {
  Params p;
  p.num_classes = classes;
  p.max_detections = 8;
  p.detection_threshold = 0.5f;
  p.nms_iou_threshold = 0.5f;
  p.accept_float32 = true;
  return p;
}

void fill_all(Case& c, float value) {
  for (std::size_t port = 0; port < c.inputs.size(); ++port) {
    const TensorSpec& spec = c.inputs[port];
    for (std::int64_t y = 0; y < spec.shape[0]; ++y) {
      for (std::int64_t x = 0; x < spec.shape[1]; ++x) {
        for (std::int64_t channel = 0; channel < spec.shape[2]; ++channel) c.put(port, y, x, channel, value);
      }
    }
  }
}

}  // namespace

Case yolo_v4_case(std::int32_t classes) {
  Case c;
  c.params = base_params(classes);
  c.params.profile = Profile::YoloV4V1;
  c.params.model_input_size = {64, 64};
  c.params.original_image_size = {128, 64};
  for (std::int32_t i = 0; i < 3; ++i) {
    c.params.heads.push_back(Head::combined(i));
    c.inputs.push_back(dense_input(DType::Float32, 8 >> i, 8 >> i, 3 * (classes + 5)));
  }
  c.fit_outputs();
  c.fit_bytes();
  fill_all(c, -20.0f);
  return c;
}

Case one_head_case(std::int64_t h, std::int64_t w, std::int32_t slots, std::int32_t classes) {
  Case c;
  c.params = base_params(classes);
  c.params.profile = Profile::AnchorGridV1;
  c.params.model_input_size = {static_cast<std::int32_t>(8 * w), static_cast<std::int32_t>(8 * h)};
  c.params.original_image_size = c.params.model_input_size;
  c.params.heads = {Head::combined(0)};
  AnchorLevel level;
  for (std::int32_t slot = 0; slot < slots; ++slot) {
    level.anchors.push_back({16.0f * static_cast<float>(slot + 1), 8.0f * static_cast<float>(slot + 1)});
  }
  c.params.anchor_grid = {level};
  c.inputs = {dense_input(DType::Float32, h, w, slots * (classes + 5))};
  c.fit_outputs();
  c.fit_bytes();
  fill_all(c, -20.0f);
  return c;
}

Result<Outcome> run(const Case& c, std::byte poison) {
  auto plan = check_inference(c.request());
  if (!plan) return tl::make_unexpected(plan.error());
  Workspace workspace(plan->workspace_bytes(), poison);
  auto context = Context::create(*plan, workspace.span());
  if (!context) return tl::make_unexpected(context.error());
  Outcome outcome;
  std::vector<std::span<std::byte>> outputs;
  for (std::size_t i = 0; i < c.outputs.size(); ++i) outcome.outputs.emplace_back(plan->output_bytes(i), poison);
  for (auto& output : outcome.outputs) outputs.emplace_back(output);
  const auto inputs = c.views();
  const Status status = execute(*context, {inputs, outputs, c.original_sizes}, &outcome.stats);
  if (!status) return tl::make_unexpected(status.error());
  return outcome;
}

Outcome run_reference(const Case& c) {
  auto result = decode_reference(c.request(), c.views(), c.original_sizes);
  return {std::move(result.outputs), result.stats};
}

std::vector<float> floats(const std::vector<std::byte>& bytes) {
  std::vector<float> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), out.size() * 4);
  return out;
}

std::vector<std::int32_t> ints(const std::vector<std::byte>& bytes) {
  std::vector<std::int32_t> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), out.size() * 4);
  return out;
}

std::string difference(const Outcome& library, const Outcome& reference) {
  static constexpr const char* kNames[] = {"boxes", "scores", "classes", "count"};
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t output = 0; output < reference.outputs.size(); ++output) {
    const auto got = ints(library.outputs[output]), want = ints(reference.outputs[output]);
    if (got.size() != want.size()) return text(kNames[output], " has ", got.size(), " words, reference ", want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == want[i]) continue;
      if (wrong++ == 0) {
        first = text(kNames[output], "[", i, "] = ", got[i], " (", float_of(static_cast<std::uint32_t>(got[i])),
                     "), reference ", want[i], " (", float_of(static_cast<std::uint32_t>(want[i])), ")");
      }
    }
  }
  if (wrong != 0) return text(first, "; ", wrong, " words differ in all");
  if (library == reference) return {};
  return text("stats: seen ", library.stats.candidates_seen, " kept ", library.stats.candidates_kept, " hit ",
              library.stats.candidate_limit_hit, ", reference ", reference.stats.candidates_seen, " ",
              reference.stats.candidates_kept, " ", reference.stats.candidate_limit_hit);
}

}  // namespace tessera::boxdecode::testing
