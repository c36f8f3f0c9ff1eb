#include "common/tensors.h"

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>

#include "base/text.h"
#include "canvas/canvas.h"
#include "device/compare.h"
#include "image/image.h"
#include "pipeline/contract.h"

namespace tessera::cli {
namespace {

/// Calls f(number) for each number in the tensor's order, which begins at `at`: a float or a byte.
template <class T, class F>
void for_numbers(T* at, const TensorRef& t, const F& f) {
  for (std::int64_t pixel = 0; pixel < t.n * t.h * t.w; ++pixel, at += t.pixel_stride) {
    for (std::int64_t c = 0; c < t.c; ++c) f(at[c]);
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
  const auto byte = [&](std::uint8_t& number) { number = static_cast<std::uint8_t>(split_mix(seed) >> 56); };
  if (input.bytes) return for_numbers(input.bytes, input, byte);
  for_numbers(input.data, input, [&](float& number) { number = static_cast<float>(split_mix(seed) >> 40) * 0x1p-24f; });
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
  const auto take = [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(array->data[places.next()]);
  };
  if (!input.bytes) {
    for_numbers(input.data, input, take);
    return {};
  }
  if (const auto bad = std::ranges::find_if_not(array->data, is_byte); bad != array->data.end()) {
    return Error{Code::invalid_argument, text(path.string(), ": number ", bad - array->data.begin(), " is ", *bad,
                                              ": the model takes bytes, want whole numbers from 0 to 255")};
  }
  for_numbers(input.bytes, input, take);
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
  const std::int64_t row = input.w * input.pixel_stride;
  const auto placed =
      input.bytes ? writer->write(image->view(), CanvasTarget<std::uint8_t>{input.bytes, input.pixel_stride, row})
                  : writer->write(image->view(), CanvasTarget<float>{input.data, input.pixel_stride, row});
  if (!placed) return placed.error();
  return {};
}

NpyArray to_array(const TensorRef& tensor, const AxisOrder& order) {
  NpyArray array{file_shape(order),
                 std::vector<float>(static_cast<std::size_t>(tensor.n * tensor.h * tensor.w * tensor.c))};
  AxisWalk places(order);
  for_numbers(tensor.data, tensor, [&](float number) { array.data[places.next()] = number; });
  return array;
}

}  // namespace tessera::cli
