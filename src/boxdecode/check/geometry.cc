#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

constexpr std::int32_t kNarrowClasses = 256, kMaxClasses = 336;  // 336: combined profiles without an Int8 head

const TensorSpec& input_of(const Checked& checked, std::int32_t port) {
  return checked.request->inputs[static_cast<std::size_t>(port)];
}

// Tensors of one head share element type and extents; layout and quantisation are their own.
Problem check_agreement(const Checked& checked, std::size_t i) {
  const Head& head = checked.params().heads[i];
  const TensorSpec& main = checked.request->inputs[main_port(head)];
  const std::int32_t others[] = {head.box_port, head.extra_input, head.coefficients_port, head.keypoints_port};
  for (const std::int32_t port : others) {
    if (port != Head::kNone && input_of(checked, port).dtype != main.dtype) {
      return problem_at(i, ErrorCode::HeadDTypeMismatch, "head", "its tensors must share one dtype");
    }
  }
  for (const std::int32_t port : others) {
    if (port == Head::kNone) continue;
    const Hwc cells = hwc(input_of(checked, port)), want = hwc(main);
    if (cells.h != want.h || cells.w != want.w) {
      return problem_at(i, ErrorCode::HeadGeometryMismatch, "head", "its tensors must share height and width");
    }
  }
  return {};
}

Problem check_class_count(const Checked& checked) {
  const Params& p = checked.params();
  bool any_int8 = false;
  for (const Head& head : p.heads) {
    any_int8 = any_int8 || checked.request->inputs[main_port(head)].dtype == DType::Int8;
  }
  const bool narrow = any_int8 || checked.family->kind != Head::Kind::Combined;
  if (p.num_classes <= (narrow ? kNarrowClasses : kMaxClasses)) return {};
  return problem(ErrorCode::InvalidClassCount, "num_classes",
                 narrow ? "must be at most 256 for this profile or with an Int8 head" : "must be at most 336",
                 p.num_classes);
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
  const Params& p = checked.params();
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    if (auto found = check_agreement(checked, i)) return found;
  }
  if (auto found = check_class_count(checked)) return found;
  if (auto found = check_alignment(checked)) return found;
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    const Hwc cells = hwc(checked.request->inputs[main_port(p.heads[i])]);
    if (auto found = check_stride(checked, i, cells)) return found;
    if (cells.h % p.mosaic.rows != 0 || cells.w % p.mosaic.cols != 0) {
      return problem_at(i, ErrorCode::InvalidMosaic, "head", "its rows and columns must divide by those of the mosaic");
    }
  }
  return {};
}

}  // namespace tessera::boxdecode
