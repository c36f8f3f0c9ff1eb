#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

enum class Dtypes : std::uint8_t { Int32OrFloat32, Float32, Int32, UInt8 };

struct Expected {
  const char* dtype_field;
  const char* shape_field;
  Dtypes dtypes;
  Shape shape;
};

bool allows(Dtypes dtypes, DType dtype) {
  switch (dtypes) {
    case Dtypes::Int32OrFloat32:
      return dtype == DType::Int32 || dtype == DType::Float32;
    case Dtypes::Float32:
      return dtype == DType::Float32;
    case Dtypes::Int32:
      return dtype == DType::Int32;
    case Dtypes::UInt8:
      return dtype == DType::UInt8;
  }
  return false;
}

const char* wish(Dtypes dtypes) {
  static constexpr const char* kWishes[] = {"use Int32 or Float32", "use Float32", "use Int32", "use UInt8"};
  return kWishes[static_cast<std::size_t>(dtypes)];
}

std::vector<Expected> expected_outputs(const Checked& checked) {
  const Params& p = checked.params();
  const std::int64_t k = p.max_detections;
  std::vector<Expected> outputs = {{"boxes dtype", "boxes shape", Dtypes::Int32OrFloat32, {k, 4}},
                                   {"scores dtype", "scores shape", Dtypes::Float32, {k}},
                                   {"classes dtype", "classes shape", Dtypes::Int32, {k}},
                                   {"count dtype", "count shape", Dtypes::Int32, {1}}};
  if (p.task == Task::Pose) {
    outputs.push_back({"keypoints dtype", "keypoints shape", Dtypes::Float32, {k, p.keypoint_count, p.keypoint_dims}});
  }
  if (p.task == Task::Segmentation) {
    const Hwc basis = hwc(checked.request->inputs[static_cast<std::size_t>(*p.basis)]);
    outputs.push_back({"masks dtype", "masks shape", Dtypes::UInt8, {k, basis.h, basis.w}});
  }
  const std::int64_t images = std::int64_t{p.mosaic.rows} * p.mosaic.cols;
  if (images == 1) return outputs;
  for (Expected& output : outputs) {
    Shape with_images{images};
    for (std::int64_t extent : output.shape) with_images.push_back(extent);
    output.shape = with_images;
  }
  outputs.back().shape = Shape{images};  // count: {N}
  return outputs;
}

Problem check_output(std::size_t i, const TensorSpec& spec, const Expected& want) {
  if (!allows(want.dtypes, spec.dtype)) {
    return problem_at(i, ErrorCode::InvalidOutputDType, want.dtype_field, wish(want.dtypes));
  }
  if (!(spec.shape == want.shape)) {
    return problem_at(i, ErrorCode::InvalidOutputShape, want.shape_field,
                      "boxes {K,4}, scores {K}, classes {K}, count {1}, keypoints {K,count,dims} or masks {K,basis "
                      "H,basis W}; with a "
                      "mosaic of N > 1 images N leads, count {N}");
  }
  if (!std::holds_alternative<Contiguous>(spec.layout)) {
    return problem_at(i, ErrorCode::InvalidOutputLayout, "output layout", "outputs are Contiguous");
  }
  if (spec.quant) return problem_at(i, ErrorCode::QuantizationUnexpected, "output quant", "outputs have none");
  return {};
}

}  // namespace

Problem check_outputs(const Checked& checked) {
  const std::vector<Expected> want = expected_outputs(checked);
  const auto& outputs = checked.request->outputs;
  if (outputs.size() != want.size()) {
    return problem(ErrorCode::InvalidOutputCount, "outputs",
                   "boxes, scores, classes, count, and keypoints or masks as the task has them",
                   static_cast<std::int64_t>(outputs.size()), static_cast<std::int64_t>(want.size()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (auto found = check_output(i, outputs[i], want[i])) return found;
  }
  return {};
}

}  // namespace tessera::boxdecode
