#include <algorithm>

#include "canvas/canvas.h"
#include "canvas/canvas_internal.h"

namespace tessera {
namespace {

/// The photo's channel c at column u and row v, bilinear, in double.
double sample(const ImageView& image, double u, double v, int c) {
  const int x0 = static_cast<int>(u), x1 = std::min(x0 + 1, image.width - 1);
  const int y0 = static_cast<int>(v), y1 = std::min(y0 + 1, image.height - 1);
  const auto at = [&](int x, int y) { return static_cast<double>(image.row(y)[3 * x + c]); };
  const double top = at(x0, y0) + (at(x1, y0) - at(x0, y0)) * (u - x0);
  const double bottom = at(x0, y1) + (at(x1, y1) - at(x0, y1)) * (u - x0);
  return top + (bottom - top) * (v - y0);
}

}  // namespace

Result<CanvasMap> write_canvas_reference(const CanvasSpec& spec, const ImageView& image, CanvasTarget<float> target,
                                         std::array<int, 2> full) {
  TESSERA_TRY(canvas_internal::check(spec));
  auto map = canvas_internal::check_and_place(spec, image, target.pixel_stride, target.row_stride, full);
  if (!map.has_value()) return map;
  for (int y = 0; y < spec.height; ++y) {
    for (int x = 0; x < spec.width; ++x) {
      const int sx = x - map->x.pad, sy = y - map->y.pad;
      const bool inside = sx >= 0 && sx < map->x.scaled && sy >= 0 && sy < map->y.scaled;
      for (int c = 0; c < 3; ++c) {
        double value = spec.fill;
        if (inside) {
          const double u = sample_position(spec.grid, sx, image.width, map->x.scaled);
          const double v = sample_position(spec.grid, sy, image.height, map->y.scaled);
          value = sample(image, u, v, spec.order == ChannelOrder::bgr ? 2 - c : c);
        }
        const auto i = static_cast<std::size_t>(c);
        target.data[y * target.row_stride + x * target.pixel_stride + c] =
            static_cast<float>((value * spec.scale - spec.mean[i]) / spec.std[i]);
      }
    }
  }
  return map;
}

}  // namespace tessera
