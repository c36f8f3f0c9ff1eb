#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

constexpr std::int32_t kMaxClassesInt8 = 256, kMaxClasses = 336;  // of combined profiles

Problem check_class_count(const Checked& checked) {
  bool any_int8 = false;
  for (const TensorSpec& spec : checked.request->inputs) any_int8 = any_int8 || spec.dtype == DType::Int8;
  const std::int32_t most = any_int8 ? kMaxClassesInt8 : kMaxClasses;
  if (checked.params().num_classes <= most) return {};
  return problem(ErrorCode::InvalidClassCount, "num_classes",
                 any_int8 ? "must be at most 256 with an Int8 head" : "must be at most 336",
                 checked.params().num_classes);
}

// Fixed profiles: strides 8, 16, 32. Grids from a model: whole and equal strides.
Problem check_stride(const Checked& checked, std::size_t i, Hwc cells) {
  const ImageSize model = checked.params().model_input_size;
  const auto fail = [i](const char* field, const char* wish, std::int64_t got, std::int64_t wanted = Error::kNoValue) {
    return problem_at(i, ErrorCode::HeadStrideMismatch, field, wish, got, wanted);
  };
  if (!checked.family->levels.empty()) {
    const std::int32_t stride = 8 << i;
    if (cells.w != model.width / stride)
      return fail("head width", "model width / (8 * 2^i)", cells.w, model.width / stride);
    if (cells.h != model.height / stride)
      return fail("head height", "model height / (8 * 2^i)", cells.h, model.height / stride);
    return {};
  }
  if (model.width % cells.w != 0) return fail("head width", "must divide the model width", cells.w);
  if (model.height % cells.h != 0) return fail("head height", "must divide the model height", cells.h);
  if (model.width / cells.w != model.height / cells.h) {
    return fail("head vertical stride", "must equal the horizontal one", model.height / cells.h, model.width / cells.w);
  }
  return {};
}

Problem check_alignment(const Checked& checked) {
  if (checked.family->levels.empty()) return {};
  const ImageSize model = checked.params().model_input_size;
  for (const std::int32_t extent : {model.width, model.height}) {
    if (extent % 32 != 0) {
      return problem(ErrorCode::ModelExtentNotAligned, "model_input_size", "must be multiples of 32 for this profile",
                     extent);
    }
  }
  return {};
}

}  // namespace

Problem check_geometry(const Checked& checked) {
  if (auto found = check_class_count(checked)) return found;
  if (auto found = check_alignment(checked)) return found;
  const Params& p = checked.params();
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    const Hwc cells = hwc(checked.request->inputs[static_cast<std::size_t>(p.heads[i].combined_port)]);
    if (auto found = check_stride(checked, i, cells)) return found;
    if (cells.h % p.mosaic.rows != 0 || cells.w % p.mosaic.cols != 0) {
      return problem_at(i, ErrorCode::InvalidMosaic, "head", "its rows and columns must divide by those of the mosaic");
    }
  }
  return {};
}

}  // namespace tessera::boxdecode
