#include "common/tensors.h"

#include <map>
#include <string>

#include "base/text.h"
#include "canvas/canvas.h"
#include "image/image.h"
#include "pipeline/contract.h"

namespace tessera::cli {
namespace {

/// Calls f(pixel pointer, n, y, x) for each pixel.
template <class F>
void for_pixels(const TensorRef& t, const F& f) {
  float* at = t.data;
  for (std::int64_t n = 0; n < t.n; ++n) {
    for (std::int64_t y = 0; y < t.h; ++y) {
      for (std::int64_t x = 0; x < t.w; ++x, at += t.pixel_stride) f(at, n, y, x);
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): one step.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

void add_layout_option(CLI::App& verb, FileLayout& layout) {
  static const std::map<std::string, FileLayout> kNames{{"nchw", FileLayout::nchw}, {"nhwc", FileLayout::nhwc}};
  verb.add_option("--layout", layout, "Order of the axes in .npy files: nchw (default) or nhwc")
      ->type_name("ORDER")
      ->transform(CLI::CheckedTransformer(kNames).description(""));
}

void fill_with_noise(const TensorRef& input, std::uint64_t seed) {
  for_pixels(input, [&](float* pixel, auto, auto, auto) {
    for (std::int64_t c = 0; c < input.c; ++c) pixel[c] = static_cast<float>(split_mix(seed) >> 40) * 0x1p-24f;
  });
}

AxisOrder file_order(const Model& model, const std::string& value, const TensorRef& tensor, FileLayout layout) {
  return axis_order_of(model.axis_orders, value, {tensor.n, tensor.h, tensor.w, tensor.c}, layout);
}

Status fill_from_npy(const TensorRef& input, const std::filesystem::path& path, const AxisOrder& order) {
  const auto array = read_npy(path);
  if (!array) return array.error();
  if (!is_shape_of(order, array->shape)) {
    return Error{Code::invalid_argument, text(path.string(), ": the array is ", to_string(array->shape),
                                              ": the model wants ", to_string(order))};
  }
  AxisWalk places(order);
  for_pixels(input, [&](float* pixel, auto, auto, auto) {
    for (std::int64_t c = 0; c < input.c; ++c) pixel[c] = array->data[places.next()];
  });
  return {};
}

Status fill_from_photo(const TensorRef& input, const std::filesystem::path& path, const Preprocess& preprocess) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  const auto image = decode_image(*bytes);
  if (!image) return Error{image.error().code, text(path.string(), ": ", image.error().message)};
  const auto spec = canvas_spec(preprocess);
  if (!spec) return spec.error();
  auto writer = CanvasWriter::create(*spec);
  if (!writer) return writer.error();
  const auto placed =
      writer->write(image->view(), CanvasTarget<float>{input.data, input.pixel_stride, input.w * input.pixel_stride});
  if (!placed) return placed.error();
  return {};
}

NpyArray to_array(const TensorRef& tensor, const AxisOrder& order) {
  NpyArray array{file_shape(order),
                 std::vector<float>(static_cast<std::size_t>(tensor.n * tensor.h * tensor.w * tensor.c))};
  AxisWalk places(order);
  for_pixels(tensor, [&](const float* pixel, auto, auto, auto) {
    for (std::int64_t c = 0; c < tensor.c; ++c) array.data[places.next()] = pixel[c];
  });
  return array;
}

}  // namespace tessera::cli
