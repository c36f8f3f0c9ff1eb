// The slow twin: image after image, candidates -> selection -> mapping -> outputs.

#include "boxdecode/reference.h"

#include <cmath>

#include "boxdecode/reference_select.h"
#include "boxdecode/reference_tasks.h"

namespace tessera::boxdecode {
namespace {

using namespace reference;

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

template <class T>
void append_box(std::vector<std::byte>& bytes, BoxEncoding encoding, T x1, T y1, T x2, T y2) {
  const bool corners = encoding == BoxEncoding::CornersXyxy;
  append(bytes, x1);
  append(bytes, y1);
  append(bytes, corners ? x2 : x2 - x1);
  append(bytes, corners ? y2 : y2 - y1);
}

void append_row(const Request& request, const Inputs& in, const Found& kept, const Placement& placed,
                ReferenceResult& result) {
  const float x1 = map_x(placed, kept.box.x1), x2 = map_x(placed, kept.box.x2);
  const float y1 = map_y(placed, kept.box.y1), y2 = map_y(placed, kept.box.y2);
  const BoxEncoding encoding = in.p.box_encoding;
  if (request.outputs[0].dtype == DType::Float32) {
    append_box(result.outputs[0], encoding, x1, y1, x2, y2);
  } else {
    const auto round = [](float v) { return static_cast<std::int32_t>(std::floor(static_cast<double>(v) + 0.5)); };
    append_box(result.outputs[0], encoding, round(x1), round(y1), round(x2), round(y2));
  }
  append(result.outputs[1], kept.score);
  append(result.outputs[2], kept.class_id);
  if (in.p.task == Task::Pose) {
    for (const float value : keypoints_of(in, kept, placed)) append(result.outputs[4], value);
  }
  if (in.p.task == Task::Segmentation) {
    for (const std::byte pixel : mask_of(in, kept)) append(result.outputs[4], pixel);
  }
}

std::size_t row_bytes(const TensorSpec& output, std::size_t leading_axes) {
  auto bytes = static_cast<std::size_t>(element_size(output.dtype));
  for (std::size_t axis = leading_axes; axis < static_cast<std::size_t>(output.shape.rank()); ++axis) {
    bytes *= static_cast<std::size_t>(output.shape[static_cast<int>(axis)]);
  }
  return bytes;
}

void decode_image(const Request& request, const Inputs& in, const Tile& tile, ImageSize original,
                  ReferenceResult& result) {
  const Params& p = in.p;
  std::vector<Found> found = find_candidates(in, tile);
  result.stats.candidates_seen += found.size();
  result.stats.candidate_limit_hit |= limit_candidates(p, found);
  result.stats.candidates_kept += found.size();
  const std::vector<Found> kept = select_detections(p, found);
  for (const Found& detection : kept) append_row(request, in, detection, placement(p, tile, original), result);
  const std::size_t empty = static_cast<std::size_t>(p.max_detections) - kept.size();
  const std::size_t leading_axes = p.mosaic.rows * p.mosaic.cols > 1 ? 2 : 1;  // [N,] K
  for (std::size_t output = 0; output < result.outputs.size(); ++output) {
    if (output == 3) continue;
    auto& bytes = result.outputs[output];
    bytes.resize(bytes.size() + empty * row_bytes(request.outputs[output], leading_axes));
  }
  append(result.outputs[3], static_cast<std::int32_t>(kept.size()));
}

}  // namespace

ReferenceResult decode_reference(const Request& request, std::span<const std::span<const std::byte>> inputs,
                                 std::span<const ImageSize> original_sizes) {
  const Params& p = request.params;
  Inputs in{p, {}};
  for (std::size_t port = 0; port < inputs.size(); ++port) {
    in.tensors.push_back(expand(request.inputs[port], inputs[port]));
  }
  ReferenceResult result;
  result.outputs.resize(request.outputs.size());
  for (std::int32_t row = 0; row < p.mosaic.rows; ++row) {
    for (std::int32_t col = 0; col < p.mosaic.cols; ++col) {
      const auto image = static_cast<std::size_t>(row * p.mosaic.cols + col);
      const Tile tile{row, col, p.model_input_size.width / p.mosaic.cols, p.model_input_size.height / p.mosaic.rows};
      decode_image(request, in, tile, original_sizes.empty() ? p.original_image_size : original_sizes[image], result);
    }
  }
  return result;
}

}  // namespace tessera::boxdecode
