#pragma once
// What the network sees: a photo stretched or letterboxed into the input tensor, and the exact way back.
//
//   photo (o pixels per axis)  --resize-->  scaled part (s pixels)  --pad-->  canvas (m pixels)
//
// Pixels are interpolated in float straight from the photo's bytes and never rounded to bytes in between (Darknet
// resizes float pictures too; OpenCV rounds, which costs up to half a grey level).

#include <tessera/result.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/thread_pool.h"
#include "image/image.h"
#include "image/resize.h"

namespace tessera {

enum class CanvasFit : std::uint8_t { stretch, letterbox };
enum class CanvasAlign : std::uint8_t { center, top_left };  ///< where a letterboxed photo lies
enum class ChannelOrder : std::uint8_t { rgb, bgr };

/// How a photo becomes the input: tensor[c] = (pixel[c] * scale - mean[c]) / std[c], c in tensor channel order.
struct CanvasSpec {
  int width = 0, height = 0;  ///< 1..65535
  CanvasFit fit = CanvasFit::stretch;
  CanvasAlign align = CanvasAlign::center;
  std::uint8_t fill = 128;  ///< letterbox border, as a pixel value: it is scaled and normalised like one
  ChannelOrder order = ChannelOrder::rgb;
  float scale = 1.0f / 255.0f;                       ///< not zero
  std::array<float, 3> mean{0, 0, 0}, std{1, 1, 1};  ///< std not zero
  SampleGrid grid = SampleGrid::half_pixel;
};

/// (pixel * scale - mean) / std as pixel * scale + shift, per channel, both rounded once from double. The product is
/// rounded before the sum.
struct PixelScale {
  std::array<float, 3> scale, shift;
};
PixelScale pixel_scale(const CanvasSpec& spec) noexcept;

/// One axis of the map between photo and canvas.
struct CanvasAxis {
  int canvas = 0;  ///< m
  int image = 0;   ///< o
  int scaled = 0;  ///< s, 1..m
  int pad = 0;     ///< canvas pixels before the scaled part
  /// Positions count from the outer edge of the first pixel, so pixel i covers [i, i + 1). Not clamped.
  double to_image(double v) const noexcept { return (v - pad) * image / scaled; }
  double to_canvas(double v) const noexcept { return v * scaled / image + pad; }
  bool operator==(const CanvasAxis&) const = default;
};
struct CanvasMap {
  CanvasAxis x, y;
  bool operator==(const CanvasMap&) const = default;
};

/// Where a photo of this size lies on the canvas; 64-bit integers, no rounding of floats (docs/boxdecode.md,
/// "Mapping to the original image"). Letterbox with mw*oh <= mh*ow: sw = mw, sh = max(1, (2*oh*mw + ow) div (2*ow));
/// else the same with the axes exchanged. Pads are (m - s) div 2, or 0 at the top left. All arguments >= 1.
CanvasMap place_on_canvas(CanvasFit fit, CanvasAlign align, int canvas_width, int canvas_height, int image_width,
                          int image_height) noexcept;

/// Where the canvas is written, NHWC: channel c of (x, y) is data[y * row_stride + x * pixel_stride + c].
/// Strides in elements; a tile of a larger canvas is a target with the larger canvas's row_stride.
template <class T>
struct CanvasTarget {
  T* data = nullptr;
  std::int64_t pixel_stride = 3;  ///< >= 3; elements after the third are left alone
  std::int64_t row_stride = 0;    ///< >= width * pixel_stride
};

/// Writes photos onto canvases of one spec. Keeps its tables and row buffers between photos, so that photos of one
/// size allocate once; one writer is for one thread at a time.
class CanvasWriter {
 public:
  /// invalid_argument names the field. `cpu` chooses the row kernels; all give the same bits.
  static Result<CanvasWriter> create(const CanvasSpec& spec, const CpuInfo& cpu = CpuInfo::detect());
  CanvasWriter(CanvasWriter&&) noexcept;
  CanvasWriter& operator=(CanvasWriter&&) noexcept;
  ~CanvasWriter();

  const CanvasSpec& spec() const noexcept;
  /// f32 tensor. `full` is the photo's size before a scaled decode (Image::full_width, full_height), the size boxes
  /// refer to; {0, 0} means the view's own. With a pool its threads share the rows; the bits do not change.
  /// Errors  invalid_argument: an empty view, or strides too small.
  Result<CanvasMap> write(const ImageView& image, CanvasTarget<float> target, ThreadPool* pool = nullptr,
                          std::array<int, 2> full = {0, 0});
  /// The same pixels rounded half to even, without scale, mean and std: for a network that reads bytes and applies
  /// pixel_scale() itself. Where the pixels are whole numbers its tensor then has the bits of the f32 one; elsewhere
  /// a pixel is off by up to one half.
  Result<CanvasMap> write(const ImageView& image, CanvasTarget<std::uint8_t> target, ThreadPool* pool = nullptr,
                          std::array<int, 2> full = {0, 0});
  /// The whole canvas in the border's value, as if under an empty photo. The target's strides must be large enough.
  void fill(CanvasTarget<float> target) noexcept;
  void fill(CanvasTarget<std::uint8_t> target) noexcept;

 private:
  struct State;
  explicit CanvasWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The slow twin of CanvasWriter::write: pixel by pixel, in double.
Result<CanvasMap> write_canvas_reference(const CanvasSpec& spec, const ImageView& image, CanvasTarget<float> target,
                                         std::array<int, 2> full = {0, 0});

}  // namespace tessera
