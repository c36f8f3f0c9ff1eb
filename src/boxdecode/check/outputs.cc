#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

struct Expected {
  const char* dtype_field;
  const char* shape_field;
  bool integer, real;  // dtypes allowed: Int32, Float32
  Shape shape;
};

std::vector<Expected> expected_outputs(const Params& p) {
  const std::int64_t k = p.max_detections;
  std::vector<Expected> outputs = {{"boxes dtype", "boxes shape", true, true, {k, 4}},
                                   {"scores dtype", "scores shape", false, true, {k}},
                                   {"classes dtype", "classes shape", true, false, {k}},
                                   {"count dtype", "count shape", true, false, {1}}};
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
  const bool right_dtype = (want.integer && spec.dtype == DType::Int32) || (want.real && spec.dtype == DType::Float32);
  if (!right_dtype) {
    return problem_at(i, ErrorCode::InvalidOutputDType, want.dtype_field,
                      want.integer && want.real ? "use Int32 or Float32"
                      : want.integer            ? "use Int32"
                                                : "use Float32");
  }
  if (!(spec.shape == want.shape)) {
    return problem_at(
        i, ErrorCode::InvalidOutputShape, want.shape_field,
        "boxes {K,4}, scores {K}, classes {K}, count {1}; with a mosaic of N > 1 images N leads, count {N}");
  }
  if (!std::holds_alternative<Contiguous>(spec.layout)) {
    return problem_at(i, ErrorCode::InvalidOutputLayout, "output layout", "outputs are Contiguous");
  }
  if (spec.quant) return problem_at(i, ErrorCode::QuantizationUnexpected, "output quant", "outputs have none");
  return {};
}

}  // namespace

Problem check_outputs(const Checked& checked) {
  const std::vector<Expected> want = expected_outputs(checked.params());
  const auto& outputs = checked.request->outputs;
  if (outputs.size() != want.size()) {
    return problem(ErrorCode::InvalidOutputCount, "outputs", "boxes, scores, classes, count",
                   static_cast<std::int64_t>(outputs.size()), static_cast<std::int64_t>(want.size()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (auto found = check_output(i, outputs[i], want[i])) return found;
  }
  return {};
}

}  // namespace tessera::boxdecode
