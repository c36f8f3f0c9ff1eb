#include <cmath>

#include "base/checked.h"
#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

constexpr std::int64_t kMaxPhysicalChannels = 1024;

Problem check_shape(std::size_t port, const TensorSpec& spec) {
  const int rank = spec.shape.rank();
  if (rank < 3 || rank > 6) return problem_at(port, ErrorCode::InvalidRank, "input rank", "must be 3...6", rank);
  for (int axis = 0; axis < rank - 3; ++axis) {
    if (spec.shape[axis] != 1) {
      return problem_at(port, ErrorCode::InvalidLeadingExtent, "input leading extent", "batches are decoded one by one",
                        spec.shape[axis], 1);
    }
  }
  const auto [h, w, c] = hwc(spec);
  for (const std::int64_t extent : {h, w}) {
    if (extent < 1 || extent > 32'767) {
      return problem_at(port, ErrorCode::InvalidSpatialExtent, "input height or width", "must be 1...32,767", extent);
    }
  }
  if (h * w > kMaxExtent) {
    return problem_at(port, ErrorCode::CellCountExceeded, "input height * width", "must be at most 1,048,576", h * w);
  }
  return {};
}

Problem check_dtype_and_layout(std::size_t port, const TensorSpec& spec, bool accept_float32) {
  const bool known =
      spec.dtype == DType::Int8 || spec.dtype == DType::BFloat16 || (spec.dtype == DType::Float32 && accept_float32);
  if (!known) {
    return problem_at(
        port, ErrorCode::UnsupportedDType, "input dtype",
        accept_float32 ? "use Int8, BFloat16 or Float32" : "use Int8, BFloat16, or Float32 with accept_float32");
  }
  if (spec.dtype == DType::Float32 && std::holds_alternative<MlaCBlocked>(spec.layout)) {
    return problem_at(port, ErrorCode::UnsupportedLayout, "input layout", "Float32 inputs must be dense");
  }
  return {};
}

Problem check_tiles(std::size_t port, const TensorSpec& spec, const PortRole& role) {
  const auto* tiles = std::get_if<MlaCBlocked>(&spec.layout);
  if (tiles == nullptr) return {};
  const auto fail = [port](const char* field, const char* wish, std::int64_t got) {
    return problem_at(port, ErrorCode::InvalidTile, field, wish, got);
  };
  if (tiles->tile_h < 1 || tiles->tile_h > 32'767) return fail("input tile_h", "must be 1...32,767", tiles->tile_h);
  if (tiles->tile_w < 1 || tiles->tile_w > 32'767) return fail("input tile_w", "must be 1...32,767", tiles->tile_w);
  if (tiles->tile_c < 1 || tiles->tile_c > 1024) return fail("input tile_c", "must be 1...1,024", tiles->tile_c);
  if (role.role == Role::Combined && tiles->tile_c % 16 != 0) {
    return fail("input tile_c", "combined heads want a multiple of 16", tiles->tile_c);
  }
  return {};
}

Problem check_strides(std::size_t port, const TensorSpec& spec) {
  const auto* strided = std::get_if<Strided>(&spec.layout);
  if (strided == nullptr) return {};
  const auto fail = [port](const char* field, const char* wish, std::int64_t got = Error::kNoValue) {
    return problem_at(port, ErrorCode::InvalidStride, field, wish, got);
  };
  const int rank = spec.shape.rank();
  const std::int64_t element = element_size(spec.dtype);
  if (strided->byte_strides.rank() != rank) {
    return fail("input byte_strides", "give one per axis", strided->byte_strides.rank());
  }
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t stride = strided->byte_strides[axis];
    if (stride < 0 || stride % element != 0) {
      return fail("input byte stride", "must be a multiple of the element size, not negative", stride);
    }
  }
  const auto [row, pixel, channel] = dense_strides(spec);
  if (channel != element) return fail("input channel stride", "channels must be adjacent", channel);
  if (pixel == 0) return fail("input pixel stride", "must be positive", pixel);
  const auto least_row = checked_mul(hwc(spec).w, pixel);
  if (!least_row || row < *least_row) return fail("input row stride", "must be at least width * pixel stride", row);
  return {};
}

Problem check_physical(std::size_t port, const TensorSpec& spec, const PortRole& role) {
  if (std::holds_alternative<MlaCBlocked>(spec.layout)) return {};
  const std::int64_t c = hwc(spec).c;
  const bool contiguous = std::holds_alternative<Contiguous>(spec.layout);
  const std::int64_t physical = contiguous ? c : dense_strides(spec).pixel / element_size(spec.dtype);
  const auto fail = [&](const char* wish) {
    return problem_at(port, ErrorCode::InvalidPhysicalChannels, "input physical channels", wish, physical);
  };
  if (physical > kMaxPhysicalChannels) return fail("must be at most 1,024");
  if (physical < c) return fail("must hold all logical channels");
  if (role.role == Role::Combined && spec.dtype != DType::Float32 && physical % 16 != 0) {
    return fail("combined heads want a multiple of 16: pad the pixels (Strided)");
  }
  return {};
}

const char* channels_of(Role role) {
  switch (role) {
    case Role::Combined:
      return "slots * (classes + 5)";
    case Role::Box:
      return "box channels: 4, or 4 per bin of a distribution, as the profile has it";
    case Role::Score:
      return "one per class";
    case Role::Objectness:
      return "objectness is one channel";
    case Role::Coefficients:
      return "slots * channels of the basis";
    default:
      return "keypoint_count * keypoint_dims";
  }
}

Problem check_channels(std::size_t port, const TensorSpec& spec, const PortRole& role) {
  const std::int64_t c = hwc(spec).c;
  if (role.role == Role::Basis) {
    if (c >= 1 && c <= 256) return {};
    return problem_at(port, ErrorCode::ChannelMismatch, "input channels", "a basis has 1...256", c);
  }
  if (role.channels == 0) return {};  // the basis that decides is itself out of order; its own check tells
  if (c == role.channels || (role.other_channels != 0 && c == role.other_channels)) return {};
  return problem_at(port, ErrorCode::ChannelMismatch, "input channels", channels_of(role.role), c, role.channels);
}

Problem check_quant(std::size_t port, const TensorSpec& spec) {
  if (spec.dtype != DType::Int8) {
    if (!spec.quant) return {};
    return problem_at(port, ErrorCode::QuantizationUnexpected, "input quant", "only Int8 inputs have one");
  }
  if (!spec.quant)
    return problem_at(port, ErrorCode::QuantizationMissing, "input quant", "Int8 inputs need scale and zero point");
  if (!(spec.quant->scale > 0.0f) || !std::isfinite(255.0f * spec.quant->scale)) {
    return problem_at(port, ErrorCode::QuantizationInvalid, "input scale", "must be > 0, and 255 * scale finite");
  }
  if (spec.quant->zero_point < -128 || spec.quant->zero_point > 127) {
    return problem_at(port, ErrorCode::QuantizationInvalid, "input zero point", "must be -128...127",
                      spec.quant->zero_point);
  }
  return {};
}

}  // namespace

DenseStrides dense_strides(const TensorSpec& spec) {
  const std::int64_t element = element_size(spec.dtype);
  if (const auto* strided = std::get_if<Strided>(&spec.layout)) {
    const int rank = strided->byte_strides.rank();
    return {strided->byte_strides[rank - 3], strided->byte_strides[rank - 2], strided->byte_strides[rank - 1]};
  }
  const auto [h, w, c] = hwc(spec);
  return {w * c * element, c * element, element};
}

BlockedAddress blocked_address(const TensorSpec& spec) {
  const auto [h, w, c] = hwc(spec);
  const auto& tiles = std::get<MlaCBlocked>(spec.layout);
  return {h,
          w,
          c,
          element_size(spec.dtype),
          std::min(tiles.tile_h, h),
          std::min(tiles.tile_w, w),
          std::min(tiles.tile_c, c)};
}

std::optional<std::int64_t> input_bytes(const TensorSpec& spec, bool combined) {
  if (std::holds_alternative<MlaCBlocked>(spec.layout)) return blocked_address(spec).bytes();  // below 2^36
  const auto [h, w, c] = hwc(spec);
  const auto [row, pixel, element] = dense_strides(spec);
  const auto rows = checked_mul(h - 1, row);
  const std::int64_t last_row = (w - 1) * pixel + (combined ? pixel : c * element);  // bounded: P <= 1,024, w <= 32,767
  const auto bytes = rows ? checked_add(*rows, last_row) : std::nullopt;
  return bytes && *bytes <= kMaxBytes ? bytes : std::nullopt;
}

Problem check_inputs(const Checked& checked) {
  for (std::size_t port = 0; port < checked.request->inputs.size(); ++port) {
    const TensorSpec& spec = checked.request->inputs[port];
    if (auto found = check_shape(port, spec)) return found;
    if (auto found = check_dtype_and_layout(port, spec, checked.params().accept_float32)) return found;
    if (auto found = check_strides(port, spec)) return found;
    if (auto found = check_tiles(port, spec, checked.roles[port])) return found;
    if (auto found = check_physical(port, spec, checked.roles[port])) return found;
    if (auto found = check_channels(port, spec, checked.roles[port])) return found;
    if (auto found = check_quant(port, spec)) return found;
  }
  return {};
}

}  // namespace tessera::boxdecode
