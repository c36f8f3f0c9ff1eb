#include "boxdecode/testing/case.h"

#include <algorithm>

#include "base/text.h"

namespace tessera::boxdecode::testing {

namespace {

/// The three extents that matter.
struct Extents {
  std::int64_t h, w, c;
};
Extents extents_of(const TensorSpec& spec) {
  const int rank = spec.shape.rank();
  return {spec.shape[rank - 3], spec.shape[rank - 2], spec.shape[rank - 1]};
}

struct Strides {
  std::int64_t row, pixel, element;
};
Strides strides_of(const TensorSpec& spec) {
  const auto [h, w, c] = extents_of(spec);
  const std::int64_t element = element_size(spec.dtype);
  const auto* strided = std::get_if<Strided>(&spec.layout);
  if (strided == nullptr) return {w * c * element, c * element, element};
  const int rank = strided->byte_strides.rank();
  return {strided->byte_strides[rank - 3], strided->byte_strides[rank - 2], element};
}

std::int64_t round_up_16(std::int64_t n) { return (n + 15) / 16 * 16; }

// The address formula of the blocked layout: everything stored before the element, then its place in its group.
std::int64_t blocked_offset(const TensorSpec& spec, std::int64_t y, std::int64_t x, std::int64_t c) {
  const auto [h, w, channels] = extents_of(spec);
  const auto& tile = std::get<MlaCBlocked>(spec.layout);
  const std::int64_t c0 = c / tile.tile_c * tile.tile_c, h0 = y / tile.tile_h * tile.tile_h,
                     w0 = x / tile.tile_w * tile.tile_w;
  const std::int64_t lanes = round_up_16(std::min(tile.tile_c, channels - c0));
  const std::int64_t th = std::min(tile.tile_h, h - h0), tw = std::min(tile.tile_w, w - w0);
  const std::int64_t pixels = th * tw * ((c - c0) / 16) + (y - h0) * tw + (x - w0);
  const std::int64_t before = h * w * (c / tile.tile_c) * round_up_16(tile.tile_c) + lanes * (w * h0 + th * w0);
  return element_size(spec.dtype) * (before + 16 * pixels) + (c - c0) % 16;
}

std::int64_t blocked_bytes(const TensorSpec& spec) {
  const auto [h, w, c] = extents_of(spec);
  const std::int64_t tile_c = std::get<MlaCBlocked>(spec.layout).tile_c;
  const std::int64_t lanes = c / tile_c * round_up_16(tile_c) + round_up_16(c % tile_c);
  return element_size(spec.dtype) * h * w * lanes;
}

}  // namespace

std::int64_t Case::offset(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c) const {
  const TensorSpec& spec = inputs[port];
  if (std::holds_alternative<MlaCBlocked>(spec.layout)) return blocked_offset(spec, y, x, c);
  const auto [row, pixel, element] = strides_of(spec);
  return y * row + x * pixel + c * element;
}

std::int64_t Case::plane_distance(std::size_t port) const {
  return std::holds_alternative<MlaCBlocked>(inputs[port].layout) ? 16 : 1;
}

void Case::put_word(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, std::uint32_t word) {
  std::byte* at = bytes[port].data() + offset(port, y, x, c);
  for (std::int64_t i = 0; i < element_size(inputs[port].dtype); ++i) {
    at[i * plane_distance(port)] = static_cast<std::byte>(word >> (8 * i));
  }
}

std::uint32_t Case::word(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c) const {
  const std::byte* at = bytes[port].data() + offset(port, y, x, c);
  std::uint32_t word = 0;
  for (std::int64_t i = 0; i < element_size(inputs[port].dtype); ++i) {
    word |= std::to_integer<std::uint32_t>(at[i * plane_distance(port)]) << (8 * i);
  }
  return word;
}

void Case::put(std::size_t port, std::int64_t y, std::int64_t x, std::int64_t c, float value) {
  const std::uint32_t word = bits_of(value);
  put_word(port, y, x, c, inputs[port].dtype == DType::BFloat16 ? word >> 16 : word);
}

void Case::fit_outputs(DType boxes) {
  const std::int64_t k = params.max_detections, n = std::int64_t{params.mosaic.rows} * params.mosaic.cols;
  outputs.assign(params.task == Task::Detection ? 4 : 5, {});
  outputs[0].shape = n == 1 ? Shape{k, 4} : Shape{n, k, 4};
  outputs[1].shape = outputs[2].shape = n == 1 ? Shape{k} : Shape{n, k};
  outputs[3].shape = {n};
  outputs[0].dtype = boxes;
  outputs[2].dtype = outputs[3].dtype = DType::Int32;
  if (params.task == Task::Pose) outputs[4].shape = {k, params.keypoint_count, params.keypoint_dims};
  if (params.task == Task::Segmentation) {
    const auto [h, w, c] = extents_of(inputs[static_cast<std::size_t>(*params.basis)]);
    outputs[4].shape = {k, h, w};
    outputs[4].dtype = DType::UInt8;
  }
}

std::int64_t Case::required_bytes(std::size_t port) const {
  const TensorSpec& spec = inputs[port];
  if (std::holds_alternative<MlaCBlocked>(spec.layout)) return blocked_bytes(spec);
  const auto [h, w, c] = extents_of(spec);
  const auto [row, pixel, element] = strides_of(spec);
  bool combined = false;
  for (const Head& head : params.heads) combined |= head.combined_port == static_cast<std::int32_t>(port);
  return (h - 1) * row + (w - 1) * pixel + (combined ? pixel : c * element);
}

void Case::fit_bytes(std::byte fill) {
  bytes.clear();
  for (std::size_t port = 0; port < inputs.size(); ++port) {
    bytes.emplace_back(static_cast<std::size_t>(required_bytes(port)), fill);
  }
}

void Case::copy_elements(const Case& from, std::size_t port) {
  const auto [h, w, c] = extents_of(inputs[port]);
  for (std::int64_t y = 0; y < h; ++y) {
    for (std::int64_t x = 0; x < w; ++x) {
      for (std::int64_t channel = 0; channel < c; ++channel) {
        put_word(port, y, x, channel, from.word(port, y, x, channel));
      }
    }
  }
}

Result<Outcome> run(const Case& c, std::byte poison) {
  auto plan = check_inference(c.request());
  if (!plan) return plan.error();
  Workspace workspace(plan->workspace_bytes(), poison);
  auto context = Context::create(*plan, workspace.span());
  if (!context) return context.error();
  Outcome outcome;
  std::vector<std::span<std::byte>> outputs;
  for (std::size_t i = 0; i < c.outputs.size(); ++i) outcome.outputs.emplace_back(plan->output_bytes(i), poison);
  for (auto& output : outcome.outputs) outputs.emplace_back(output);
  const auto inputs = c.views();
  const Status status = execute(*context, {inputs, outputs, c.original_sizes}, &outcome.stats);
  if (!status) return status.error();
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

namespace {

/// Text of the element that holds byte `at` of an output.
std::string element_text(const std::vector<std::byte>& bytes, std::size_t at, bool is_mask) {
  if (is_mask) return text(std::to_integer<int>(bytes[at]));
  const std::int32_t word = ints(bytes)[at / 4];
  return text(word, " (", float_of(static_cast<std::uint32_t>(word)), ")");
}

std::string stats_text(const ExecStats& s) {
  return text("seen ", s.candidates_seen, " kept ", s.candidates_kept, " hit ", s.candidate_limit_hit);
}

}  // namespace

std::string difference(const Outcome& library, const Outcome& reference) {
  static constexpr const char* kNames[] = {"boxes", "scores", "classes", "count", "keypoints or mask"};
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t output = 0; output < reference.outputs.size(); ++output) {
    const auto &got = library.outputs[output], &want = reference.outputs[output];
    if (got.size() != want.size()) return text(kNames[output], " has ", got.size(), " bytes, reference ", want.size());
    const bool is_mask = want.size() % 4 != 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == want[i] || wrong++ != 0) continue;
      first = text(kNames[output], " byte ", i, ": ", element_text(got, i, is_mask), ", reference ",
                   element_text(want, i, is_mask));
    }
  }
  if (wrong != 0) return text(first, "; ", wrong, " bytes differ in all");
  if (library == reference) return {};
  return text("stats: ", stats_text(library.stats), ", reference ", stats_text(reference.stats));
}

}  // namespace tessera::boxdecode::testing
