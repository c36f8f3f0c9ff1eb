#include "canvas/canvas.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "canvas/canvas_internal.h"
#include "image/resize_rows.h"

namespace tessera {
namespace {

using image_internal::Affine;
using image_internal::ColumnTable;
using image_internal::RowKernels;
using image_internal::RowTable;

constexpr int kMaxSide = 65535;

Affine affine_of(const CanvasSpec& spec) {
  const PixelScale by = pixel_scale(spec);
  Affine affine;
  std::ranges::copy(by.scale, affine.scale);
  std::ranges::copy(by.shift, affine.shift);
  return affine;
}

/// What differs between a float and a byte canvas: the border's value and the kernel.
struct FloatOutput {
  using Element = float;
  Affine affine;
  std::array<float, 3> border(std::uint8_t fill) const {
    const auto v = static_cast<float>(fill);
    return {v * affine.scale[0] + affine.shift[0], v * affine.scale[1] + affine.shift[1],
            v * affine.scale[2] + affine.shift[2]};
  }
  void blend(const RowKernels& kernels, const float* top, const float* bottom, float weight, int width, float* dst,
             std::int64_t stride) const {
    kernels.blend_f32(top, bottom, weight, affine, width, dst, stride);
  }
};
struct ByteOutput {
  using Element = std::uint8_t;
  std::array<std::uint8_t, 3> border(std::uint8_t fill) const { return {fill, fill, fill}; }
  void blend(const RowKernels& kernels, const float* top, const float* bottom, float weight, int width,
             std::uint8_t* dst, std::int64_t stride) const {
    kernels.blend_u8(top, bottom, weight, width, dst, stride);
  }
};

template <class T>
void fill_pixels(T* dst, std::int64_t stride, int count, const std::array<T, 3>& value) {
  for (int x = 0; x < count; ++x, dst += stride) std::copy_n(value.data(), 3, dst);
}

template <class T>
void fill_canvas(const CanvasSpec& spec, const CanvasTarget<T>& target, const std::array<T, 3>& value) {
  for (int y = 0; y < spec.height; ++y) {
    fill_pixels(target.data + y * target.row_stride, target.pixel_stride, spec.width, value);
  }
}

}  // namespace

namespace canvas_internal {

Status check(const CanvasSpec& spec) {
  if (spec.width < 1 || spec.height < 1 || spec.width > kMaxSide || spec.height > kMaxSide) {
    return Error{Code::invalid_argument,
                 text("canvas: ", spec.width, "x", spec.height, " pixels, want 1 to ", kMaxSide, " per side")};
  }
  if (!std::isfinite(spec.scale) || spec.scale == 0.0f) {
    return Error{Code::invalid_argument, text("canvas: scale ", spec.scale, ", want a finite number other than 0")};
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (!std::isfinite(spec.mean[c])) {
      return Error{Code::invalid_argument, text("canvas: mean[", c, "] ", spec.mean[c], ", want a finite number")};
    }
    if (!std::isfinite(spec.std[c]) || spec.std[c] == 0.0f) {
      return Error{Code::invalid_argument,
                   text("canvas: std[", c, "] ", spec.std[c], ", want a finite number other than 0")};
    }
  }
  return {};
}

Result<CanvasMap> check_and_place(const CanvasSpec& spec, const ImageView& image, std::int64_t pixel_stride,
                                  std::int64_t row_stride, std::array<int, 2> full) {
  if (image.data == nullptr || image.width < 1 || image.height < 1 || image.width > kMaxSide ||
      image.height > kMaxSide) {
    return Error{Code::invalid_argument, text("canvas: photo of ", image.width, "x", image.height,
                                              " pixels, want 1 to ", kMaxSide, " per side")};
  }
  if (pixel_stride < 3 || row_stride < pixel_stride * spec.width) {
    return Error{Code::invalid_argument, text("canvas: strides ", pixel_stride, " and ", row_stride,
                                              ", want at least 3 and width times the first")};
  }
  const int width = full[0] > 0 ? full[0] : image.width, height = full[1] > 0 ? full[1] : image.height;
  return place_on_canvas(spec.fit, spec.align, spec.width, spec.height, width, height);
}

}  // namespace canvas_internal

PixelScale pixel_scale(const CanvasSpec& spec) noexcept {
  PixelScale out;
  for (std::size_t c = 0; c < 3; ++c) {
    out.scale[c] = static_cast<float>(static_cast<double>(spec.scale) / spec.std[c]);
    out.shift[c] = static_cast<float>(-static_cast<double>(spec.mean[c]) / spec.std[c]);
  }
  return out;
}

CanvasMap place_on_canvas(CanvasFit fit, CanvasAlign align, int canvas_width, int canvas_height, int image_width,
                          int image_height) noexcept {
  const std::int64_t mw = canvas_width, mh = canvas_height, ow = image_width, oh = image_height;
  std::int64_t sw = mw, sh = mh;
  if (fit == CanvasFit::letterbox) {
    if (mw * oh <= mh * ow) {
      sh = std::max<std::int64_t>(1, (2 * oh * mw + ow) / (2 * ow));
    } else {
      sw = std::max<std::int64_t>(1, (2 * ow * mh + oh) / (2 * oh));
    }
  }
  const bool center = align == CanvasAlign::center;
  const auto axis = [&](std::int64_t m, std::int64_t o, std::int64_t s) {
    return CanvasAxis{static_cast<int>(m), static_cast<int>(o), static_cast<int>(s),
                      center ? static_cast<int>((m - s) / 2) : 0};
  };
  return {axis(mw, ow, sw), axis(mh, oh, sh)};
}

struct CanvasWriter::State {
  CanvasSpec spec;
  const RowKernels* kernels;
  Affine affine;
  ColumnTable columns;
  RowTable rows;
  std::vector<float> scratch;  // two row buffers per thread

  void prepare(const ImageView& image, const CanvasMap& map, int workers) {
    image_internal::fill_columns(columns, spec.grid, image.width, map.x.scaled, spec.order == ChannelOrder::bgr);
    image_internal::fill_rows(rows, spec.grid, image.height, map.y.scaled);
    scratch.resize(2 * image_internal::row_floats(map.x.scaled) * static_cast<std::size_t>(workers));
  }
  template <class Output>
  Result<CanvasMap> write(const ImageView& image, CanvasTarget<typename Output::Element> target, ThreadPool* pool,
                          std::array<int, 2> full, const Output& output);
};

namespace {

/// One photo on its way onto one canvas: everything is prepared, rows are independent.
template <class Output>
struct Job {
  using Element = typename Output::Element;
  const CanvasSpec& spec;
  const RowKernels& kernels;
  const image_internal::Columns& columns;
  const RowTable& rows;
  float* scratch;
  const ImageView& image;
  const CanvasMap& map;
  const CanvasTarget<Element>& target;
  const Output& output;
  std::array<Element, 3> border = output.border(spec.fill);

  Element* line(int y) const { return target.data + y * target.row_stride; }

  void above_and_below() const {
    for (int y = 0; y < map.y.pad; ++y) fill_pixels(line(y), target.pixel_stride, spec.width, border);
    for (int y = map.y.pad + map.y.scaled; y < spec.height; ++y) {
      fill_pixels(line(y), target.pixel_stride, spec.width, border);
    }
  }
  void photo_rows(int begin, int end, int worker) const {
    const std::int64_t stride = target.pixel_stride;
    const int left = map.x.pad, scaled = map.x.scaled;
    const auto emit = [&](int y, const float* top, const float* bottom, float weight) {
      Element* dst = line(map.y.pad + y);
      fill_pixels(dst, stride, left, border);
      output.blend(kernels, top, bottom, weight, scaled, dst + left * stride, stride);
      fill_pixels(dst + (left + scaled) * stride, stride, spec.width - left - scaled, border);
    };
    float* buffers = scratch + 2 * image_internal::row_floats(scaled) * static_cast<std::size_t>(worker);
    image_internal::for_each_row(kernels, columns, rows, image, begin, end, buffers, emit);
  }
};

}  // namespace

template <class Output>
Result<CanvasMap> CanvasWriter::State::write(const ImageView& image, CanvasTarget<typename Output::Element> target,
                                             ThreadPool* pool, std::array<int, 2> full, const Output& output) {
  auto map = canvas_internal::check_and_place(spec, image, target.pixel_stride, target.row_stride, full);
  if (!map.has_value()) return map;
  const int workers = pool != nullptr ? pool->threads() : 1, height = map->y.scaled;
  prepare(image, *map, workers);
  const Job<Output> job{spec, *kernels, columns.view, rows, scratch.data(), image, *map, target, output};
  job.above_and_below();
  if (workers == 1) {
    job.photo_rows(0, height, 0);
    return map;
  }
  // Twice as many pieces as threads evens out a late one; the source rows at each seam are read twice.
  const std::int64_t pieces = std::min(2 * workers, height);
  pool->run(static_cast<std::size_t>(pieces), [&](std::size_t piece, int worker) {
    const auto i = static_cast<std::int64_t>(piece);
    job.photo_rows(static_cast<int>(height * i / pieces), static_cast<int>(height * (i + 1) / pieces), worker);
  });
  return map;
}

CanvasWriter::CanvasWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CanvasWriter::CanvasWriter(CanvasWriter&&) noexcept = default;
CanvasWriter& CanvasWriter::operator=(CanvasWriter&&) noexcept = default;
CanvasWriter::~CanvasWriter() = default;

Result<CanvasWriter> CanvasWriter::create(const CanvasSpec& spec, const CpuInfo& cpu) {
  TESSERA_TRY(canvas_internal::check(spec));
  auto state = std::make_unique<State>();
  state->spec = spec;
  state->kernels = &image_internal::best_row_kernels(cpu);
  state->affine = affine_of(spec);
  return CanvasWriter(std::move(state));
}

void CanvasWriter::fill(CanvasTarget<float> target) noexcept {
  fill_canvas(state_->spec, target, FloatOutput{state_->affine}.border(state_->spec.fill));
}

void CanvasWriter::fill(CanvasTarget<std::uint8_t> target) noexcept {
  fill_canvas(state_->spec, target, ByteOutput{}.border(state_->spec.fill));
}

const CanvasSpec& CanvasWriter::spec() const noexcept { return state_->spec; }

Result<CanvasMap> CanvasWriter::write(const ImageView& image, CanvasTarget<float> target, ThreadPool* pool,
                                      std::array<int, 2> full) {
  return state_->write(image, target, pool, full, FloatOutput{state_->affine});
}

Result<CanvasMap> CanvasWriter::write(const ImageView& image, CanvasTarget<std::uint8_t> target, ThreadPool* pool,
                                      std::array<int, 2> full) {
  return state_->write(image, target, pool, full, ByteOutput{});
}

}  // namespace tessera
