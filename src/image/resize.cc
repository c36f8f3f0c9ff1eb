#include "image/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "image/resize_rows.h"

namespace tessera {
namespace {

constexpr int kMaxSide = 65535;

bool in_range(int extent) { return extent >= 1 && extent <= kMaxSide; }

Status check(const ImageView& src, int width, int height) {
  if (in_range(src.width) && in_range(src.height) && in_range(width) && in_range(height)) return {};
  return Error{Code::invalid_argument, text("resize: ", src.width, "x", src.height, " to ", width, "x", height,
                                            " pixels, want 1 to ", kMaxSide, " per side")};
}

double lerp(double a, double b, double weight) { return a + (b - a) * weight; }

}  // namespace

double sample_position(SampleGrid grid, int x, int in, int out) noexcept {
  double position = 0;
  if (grid == SampleGrid::half_pixel) {
    position = (x + 0.5) * in / out - 0.5;
  } else if (out > 1) {
    position = static_cast<double>(x) * (in - 1) / (out - 1);
  }
  return std::clamp(position, 0.0, in - 1.0);
}

Status resize_into(const ImageView& src, std::uint8_t* dst, int dst_width, int dst_height, std::int64_t dst_row_bytes,
                   SampleGrid grid, const CpuInfo& cpu) {
  TESSERA_TRY(check(src, dst_width, dst_height));
  image_internal::ColumnTable columns;
  image_internal::RowTable rows;
  image_internal::fill_columns(columns, grid, src.width, dst_width, false);
  image_internal::fill_rows(rows, grid, src.height, dst_height);
  std::vector<float> scratch(2 * image_internal::row_floats(dst_width));
  const image_internal::RowKernels& kernels = image_internal::best_row_kernels(cpu);
  image_internal::for_each_row(kernels, columns.view, rows, src, 0, dst_height, scratch.data(),
                               [&](int y, const float* top, const float* bottom, float weight) {
                                 kernels.blend_u8(top, bottom, weight, dst_width, dst + y * dst_row_bytes, 3);
                               });
  return {};
}

Result<Image> resize(const ImageView& src, int width, int height, SampleGrid grid) {
  TESSERA_TRY(check(src, width, height));
  Image image(width, height);
  TESSERA_TRY(resize_into(src, image.row(0), width, height, static_cast<std::int64_t>(image.row_bytes()), grid));
  return image;
}

Result<Image> resize_reference(const ImageView& src, int width, int height, SampleGrid grid) {
  TESSERA_TRY(check(src, width, height));
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    const double v = sample_position(grid, y, src.height, height);
    const int y0 = static_cast<int>(v), y1 = std::min(y0 + 1, src.height - 1);
    for (int x = 0; x < width; ++x) {
      const double u = sample_position(grid, x, src.width, width);
      const int x0 = static_cast<int>(u), x1 = std::min(x0 + 1, src.width - 1);
      for (int c = 0; c < 3; ++c) {
        const auto at = [&](int px, int py) { return static_cast<double>(src.row(py)[3 * px + c]); };
        const double top = lerp(at(x0, y0), at(x1, y0), u - x0), bottom = lerp(at(x0, y1), at(x1, y1), u - x0);
        image.row(y)[3 * x + c] = static_cast<std::uint8_t>(std::lrint(lerp(top, bottom, v - y0)));
      }
    }
  }
  return image;
}

}  // namespace tessera
