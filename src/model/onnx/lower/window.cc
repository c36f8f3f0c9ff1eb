#include "model/onnx/lower/window.h"

#include <array>

#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

constexpr std::int64_t kMost = 1 << 16;  // far above any network, and sums and products stay far from overflow

struct Axis {
  std::int64_t extent, kernel, stride = 1, dilation = 1, before = 0, after = 0;
  std::int64_t span() const { return dilation * (kernel - 1) + 1; }
};

/// The attribute's numbers, `count` of them from `lowest` to kMost, or the fallback for all.
Result<std::array<std::int64_t, 4>> numbers(const IrNode& node, std::string_view key, std::size_t count,
                                            std::int64_t lowest) {
  std::array<std::int64_t, 4> out{lowest, lowest, lowest, lowest};
  const auto* given = node.ints(key);
  if (given == nullptr) return out;
  if (given->size() != count) return misfit(node, key, " has ", given->size(), " numbers, want ", count);
  for (std::size_t i = 0; i < count; ++i) {
    if ((*given)[i] < lowest || (*given)[i] > kMost) {
      return misfit(node, key, " holds ", (*given)[i], ", want ", lowest, " to ", kMost);
    }
    out[i] = (*given)[i];
  }
  return out;
}

/// As much padding as gives ceil(extent / stride) positions.
void pad_same(Axis& axis, bool upper) {
  const std::int64_t positions = (axis.extent + axis.stride - 1) / axis.stride;
  const std::int64_t total = std::max<std::int64_t>(0, (positions - 1) * axis.stride + axis.span() - axis.extent);
  axis.before = upper ? total / 2 : total - total / 2;
  axis.after = total - axis.before;
}

Status set_padding(const IrNode& node, Axis& h, Axis& w) {
  const std::string mode = node.string_or("auto_pad", "NOTSET");
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    pad_same(h, mode == "SAME_UPPER");
    pad_same(w, mode == "SAME_UPPER");
  } else if (mode == "NOTSET") {
    const auto pads = numbers(node, "pads", 4, 0);
    if (!pads) return pads.error();
    h.before = (*pads)[0], w.before = (*pads)[1], h.after = (*pads)[2], w.after = (*pads)[3];
  } else if (mode != "VALID") {
    return not_supported(node, "auto_pad ", mode);
  }
  return {};
}

/// A last step that starts inside the image or its padding at the start.
void take_partial_step(Axis& axis) {
  const std::int64_t room = axis.extent + axis.before + axis.after - axis.span();
  if (room < 0 || room % axis.stride == 0) return;
  const std::int64_t start = (room / axis.stride + 1) * axis.stride;
  if (start < axis.extent + axis.before) axis.after += axis.stride - room % axis.stride;
}

}  // namespace

Result<Window> window_of(const IrNode& node, std::array<std::int64_t, 2> kernel, const Extents& image, bool ceil) {
  for (const std::int64_t k : kernel) {
    if (k < 1 || k > kMost) return misfit(node, "a kernel of ", k, ", want 1 to ", kMost);
  }
  const auto strides = numbers(node, "strides", 2, 1), dilations = numbers(node, "dilations", 2, 1);
  if (!strides) return strides.error();
  if (!dilations) return dilations.error();
  Axis h{image.h, kernel[0], (*strides)[0], (*dilations)[0]}, w{image.w, kernel[1], (*strides)[1], (*dilations)[1]};
  for (const Axis& axis : {h, w}) {
    if (axis.span() > kMost) return misfit(node, "a window of ", axis.span(), " places, want at most ", kMost);
  }
  TESSERA_TRY(set_padding(node, h, w));
  if (ceil) take_partial_step(h), take_partial_step(w);
  const auto narrow = [](std::int64_t v) { return static_cast<int>(v); };
  return Window{narrow(h.kernel),
                narrow(w.kernel),
                narrow(h.stride),
                narrow(w.stride),
                narrow(h.dilation),
                narrow(w.dilation),
                {narrow(h.before), narrow(w.before), narrow(h.after), narrow(w.after)}};
}

}  // namespace tessera::onnx
