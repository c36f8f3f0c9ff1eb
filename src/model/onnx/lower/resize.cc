// Resize and Upsample: where each row and column of the result comes from is worked out here, in the float arithmetic
// that runtimes use, so that ties fall the same way.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

enum class Coordinates {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  align_corners,
  asymmetric,
  tf_half_pixel_for_nn,
  tf_crop_and_resize
};
enum class Rounding { prefer_floor, prefer_ceil, floor, ceil, simple };

struct Mode {
  ResizeKind kind = ResizeKind::nearest;
  Coordinates coordinates = Coordinates::half_pixel;
  Rounding rounding = Rounding::prefer_floor;
};

/// One axis of the picture.
struct Axis {
  std::int64_t in = 1, out = 1;
  float scale = 1, roi_begin = 0, roi_end = 1;
};

template <class Value, std::size_t kCount>
Result<Value> named(const IrNode& node, std::string_view key, std::string_view fallback,
                    const std::array<std::pair<std::string_view, Value>, kCount>& names) {
  const std::string word = node.string_or(key, fallback);
  for (const auto& [name, value] : names) {
    if (name == word) return value;
  }
  return not_supported(node, key, " ", word);
}

Result<Mode> mode_of(const IrNode& node, std::int64_t opset) {
  using C = Coordinates;
  using R = Rounding;
  Mode mode;
  const auto kind = named<ResizeKind, 3>(
      node, "mode", "nearest",
      {{{"nearest", ResizeKind::nearest}, {"linear", ResizeKind::linear}, {"bilinear", ResizeKind::linear}}});
  if (!kind) return kind.error();
  mode.kind = *kind;
  if (node.op == "Upsample" || opset < 11) {
    mode.coordinates = C::asymmetric;
    mode.rounding = R::simple;
    return mode;
  }
  const auto coordinates = named<C, 7>(node, "coordinate_transformation_mode", "half_pixel",
                                       {{{"half_pixel", C::half_pixel},
                                         {"half_pixel_symmetric", C::half_pixel_symmetric},
                                         {"pytorch_half_pixel", C::pytorch_half_pixel},
                                         {"align_corners", C::align_corners},
                                         {"asymmetric", C::asymmetric},
                                         {"tf_half_pixel_for_nn", C::tf_half_pixel_for_nn},
                                         {"tf_crop_and_resize", C::tf_crop_and_resize}}});
  const auto rounding = named<R, 4>(node, "nearest_mode", "round_prefer_floor",
                                    {{{"round_prefer_floor", R::prefer_floor},
                                      {"round_prefer_ceil", R::prefer_ceil},
                                      {"floor", R::floor},
                                      {"ceil", R::ceil}}});
  if (!coordinates) return coordinates.error();
  if (!rounding) return rounding.error();
  if (node.int_or("antialias", 0) != 0) return not_supported(node, "antialias");
  mode.coordinates = *coordinates;
  mode.rounding = *rounding;
  return mode;
}

/// Where output place i lies on the input, in places.
float source(const Axis& a, Coordinates mode, std::int64_t i) {
  const float x = static_cast<float>(i), last = static_cast<float>(a.in - 1), last_out = static_cast<float>(a.out - 1);
  switch (mode) {
    case Coordinates::half_pixel:
      return (x + 0.5f) / a.scale - 0.5f;
    case Coordinates::half_pixel_symmetric: {
      const float adjustment = static_cast<float>(a.out) / (a.scale * static_cast<float>(a.in));
      return static_cast<float>(a.in) / 2 * (1 - adjustment) + (x + 0.5f) / a.scale - 0.5f;
    }
    case Coordinates::pytorch_half_pixel:
      return a.out > 1 ? (x + 0.5f) / a.scale - 0.5f : 0.0f;
    case Coordinates::align_corners:
      return a.out > 1 ? x * last / last_out : 0.0f;
    case Coordinates::asymmetric:
      return x / a.scale;
    case Coordinates::tf_half_pixel_for_nn:
      return (x + 0.5f) / a.scale;
    case Coordinates::tf_crop_and_resize:
      return a.out > 1 ? a.roi_begin * last + x * (a.roi_end - a.roi_begin) * last / last_out
                       : 0.5f * (a.roi_begin + a.roi_end) * last;
  }
  return 0;
}

float rounded(float x, Rounding rounding, bool shrinks) {
  switch (rounding) {
    case Rounding::prefer_floor:
      return std::ceil(x - 0.5f);
    case Rounding::prefer_ceil:
      return std::floor(x + 0.5f);
    case Rounding::floor:
      return std::floor(x);
    case Rounding::ceil:
      return std::ceil(x);
    case Rounding::simple:
      return shrinks ? std::ceil(x) : std::floor(x);
  }
  return x;
}

/// Roi is a file's numbers: not any, infinite ones, what no arithmetic of places bears.
Status check_region(const IrNode& node, const Axis& h, const Axis& w) {
  for (const float edge : {h.roi_begin, h.roi_end, w.roi_begin, w.roi_end}) {
    if (!(std::fabs(edge) <= 65536)) return misfit(node, "an edge of the region at ", edge);
  }
  return {};
}

/// Whether each place of the result lies outside the picture: only a region that is cropped does, elsewhere the border
/// goes on.
std::vector<bool> outside(const Axis& axis, const Mode& mode) {
  std::vector<bool> out(static_cast<std::size_t>(axis.out), false);
  if (mode.coordinates != Coordinates::tf_crop_and_resize) return out;
  for (std::int64_t i = 0; i < axis.out; ++i) {
    const float x = source(axis, mode.coordinates, i);
    out[static_cast<std::size_t>(i)] = x < 0 || x > static_cast<float>(axis.in - 1);
  }
  return out;
}

void fill(const Axis& axis, const Mode& mode, std::vector<std::int32_t>& lo, std::vector<std::int32_t>& hi,
          std::vector<float>& weight) {
  const float last = static_cast<float>(axis.in - 1);
  for (std::int64_t i = 0; i < axis.out; ++i) {
    const float x = source(axis, mode.coordinates, i);
    if (mode.kind == ResizeKind::nearest) {
      lo.push_back(static_cast<std::int32_t>(std::clamp(rounded(x, mode.rounding, axis.scale < 1), 0.0f, last)));
      continue;
    }
    const float at = std::clamp(x, 0.0f, last), floor = std::floor(at);
    lo.push_back(static_cast<std::int32_t>(floor));
    hi.push_back(static_cast<std::int32_t>(std::min(floor + 1, last)));
    weight.push_back(at - floor);
  }
}

struct Wanted {
  std::vector<float> scales;        // per axis of the tensor, or
  std::vector<std::int64_t> sizes;  // extents per axis
  std::vector<float> roi;
};

Result<std::vector<float>> reals(const Lowering& l, const IrNode& node, std::size_t input) {
  if (node.input(input) == kAbsent) return std::vector<float>();
  const Tensor* tensor = l.constant(node, input);
  if (tensor == nullptr) return not_supported(node, "input ", input, " is not known");
  if (!tensor->is_real()) return misfit(node, "input ", input, " holds integers");
  return std::vector<float>(tensor->reals->begin(), tensor->reals->end());
}

Result<Wanted> wanted(const Lowering& l, const IrNode& node) {
  Wanted out;
  if (node.op == "Upsample" || l.opset() < 11) {
    if (const auto* scales = node.floats("scales")) {
      out.scales = *scales;
      return out;
    }
    const auto scales = reals(l, node, 1);
    if (!scales) return scales.error();
    out.scales = *scales;
    return out;
  }
  const auto roi = reals(l, node, 1), scales = reals(l, node, 2);
  const auto sizes = l.integers(node, 3);
  if (!roi) return roi.error();
  if (!scales) return scales.error();
  if (!sizes) return sizes.error();
  out = {*scales, sizes->value_or(std::vector<std::int64_t>()), *roi};
  return out;
}

/// Number i belongs to axis axes[i]; without `axes` to axis i.
Result<std::vector<int>> named_axes(const IrNode& node, int rank) {
  const auto* given = node.ints("axes");
  return given == nullptr ? Result<std::vector<int>>(natural_order(rank)) : axes_of(node, *given, rank);
}

Status set_axis(const IrNode& node, const Wanted& want, std::size_t i, std::size_t count, Axis& axis) {
  constexpr float kMost = 65536;
  if (!want.sizes.empty()) {
    axis.out = want.sizes[i];
    axis.scale = static_cast<float>(axis.out) / static_cast<float>(axis.in);
  } else {
    axis.scale = want.scales[i];
    if (!(axis.scale > 0 && axis.scale <= kMost)) return misfit(node, "a scale of ", axis.scale);
    axis.out = static_cast<std::int64_t>(std::floor(static_cast<float>(axis.in) * axis.scale));
  }
  if (axis.out < 1 || axis.out > kMaxTensor) return misfit(node, "a result of ", axis.out, " along an axis");
  if (want.roi.size() == 2 * count) axis.roi_begin = want.roi[i], axis.roi_end = want.roi[i + count];
  return {};
}

/// N, C, H, W of the picture.
Result<std::array<Axis, 4>> axes_for(const Lowering& l, const IrNode& node, const Dims& dims) {
  const auto want = wanted(l, node);
  if (!want) return want.error();
  const auto axes = named_axes(node, dims.size());
  if (!axes) return axes.error();
  const std::size_t numbers = want->sizes.empty() ? want->scales.size() : want->sizes.size();
  if (numbers != axes->size()) return misfit(node, numbers, " scales or sizes for ", axes->size(), " axes");
  if (node.string_or("keep_aspect_ratio_policy", "stretch") != "stretch") {
    return not_supported(node, "keep_aspect_ratio_policy");
  }
  std::array<Axis, 4> out;
  for (int axis = 0; axis < 4; ++axis) {
    Axis& a = out[static_cast<std::size_t>(axis)];
    a.in = a.out = dims[axis];
    const auto place = std::ranges::find(*axes, axis);
    if (place == axes->end()) continue;
    TESSERA_TRY(set_axis(node, *want, static_cast<std::size_t>(place - axes->begin()), axes->size(), a));
  }
  return out;
}

/// Whole factors that repeat pixels: the operator that engines have a kernel for.
std::optional<UpsampleAttrs> as_upsample(const ResizeAttrs& resize, const Axis& h, const Axis& w) {
  if (resize.kind != ResizeKind::nearest || h.out % h.in != 0 || w.out % w.in != 0) return std::nullopt;
  const auto repeats = [](const std::vector<std::int32_t>& lo, std::int64_t factor) {
    for (std::size_t i = 0; i < lo.size(); ++i) {
      if (lo[i] != static_cast<std::int64_t>(i) / factor) return false;
    }
    return factor <= 64;
  };
  const std::int64_t fh = h.out / h.in, fw = w.out / w.in;
  if (!repeats(resize.y_lo, fh) || !repeats(resize.x_lo, fw)) return std::nullopt;
  return UpsampleAttrs{static_cast<int>(fh), static_cast<int>(fw), 1.0f};
}

/// The resized picture with extrapolation_value where rows or columns lie outside.
Result<ValueId> with_outside(Lowering& l, const IrNode& node, ValueId resized, const std::vector<bool>& rows,
                             const std::vector<bool>& columns) {
  if (!std::ranges::count(rows, true) && !std::ranges::count(columns, true)) return resized;
  const auto [n, h, w, c] = l.extents_of_value(resized);
  TESSERA_TRY(l.spend(node, static_cast<double>(h * w)));
  std::vector<float> mask;
  for (const bool row : rows) {
    for (const bool column : columns) mask.push_back(row || column ? 1.0f : 0.0f);
  }
  const auto numbers = [](std::vector<float> v) { return std::make_shared<const std::vector<float>>(std::move(v)); };
  const auto condition = l.add(node, ConstantAttrs{numbers(std::move(mask)), {1, h, w, 1}}, {}, "outside");
  if (!condition) return condition.error();
  const float fill_value = node.float_or("extrapolation_value", 0);
  const auto value = l.add(node, ConstantAttrs{numbers({fill_value}), {1, 1, 1, 1}}, {}, "extrapolation");
  if (!value) return value.error();
  const SelectAttrs select{{n, h, w, c}, {0, w, 1, 0}, {0, 0, 0, 0}, {h * w * c, w * c, c, 1}, {n, h, w, c}};
  return l.add(node, select, {*condition, *value, resized}, "cropped");
}

}  // namespace

Status lower_resize(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  if (view->dims.size() != 4) return not_supported(node, view->dims.size(), " axes; a picture has [N, C, H, W]");
  const auto mode = mode_of(node, l.opset());
  if (!mode) return mode.error();
  const auto axes = axes_for(l, node, view->dims);
  if (!axes) return axes.error();
  const auto& [n, c, h, w] = *axes;
  if (n.out != n.in || c.out != c.in) return not_supported(node, "a change of batch or channels");
  const auto image = l.image(node, *view);
  if (!image) return image.error();
  if (h.out > (1 << 20) || w.out > (1 << 20)) return misfit(node, "a result of ", h.out, "x", w.out);
  if (mode->coordinates == Coordinates::tf_crop_and_resize) TESSERA_TRY(check_region(node, h, w));
  TESSERA_TRY(l.spend(node, static_cast<double>(h.out + w.out)));
  ResizeAttrs attrs;
  attrs.kind = mode->kind;
  attrs.shape = {n.in, h.out, w.out, c.in};
  fill(h, *mode, attrs.y_lo, attrs.y_hi, attrs.y_w);
  fill(w, *mode, attrs.x_lo, attrs.x_hi, attrs.x_w);
  const auto upsample = as_upsample(attrs, h, w);
  const auto resized = l.add(node, upsample ? Attrs(*upsample) : Attrs(std::move(attrs)), {*image});
  if (!resized) return resized.error();
  const auto out = with_outside(l, node, *resized, outside(h, *mode), outside(w, *mode));
  if (!out) return out.error();
  l.define_whole(node, *out, view->kind, image_dims(l.extents_of_value(*out)), image_order(4));
  return {};
}

}  // namespace tessera::onnx
