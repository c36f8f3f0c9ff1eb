#include "boxdecode/c_api_convert.h"

#include <algorithm>

namespace tessera::boxdecode {
namespace {

// The enumerations of both interfaces have the same numbers, so that a cast converts.
template <class E>
constexpr bool same(E cpp, int c) {
  return static_cast<int>(cpp) == c;
}
static_assert(same(DType::Float32, TESSERA_BD_FLOAT32) && same(DType::Float16, TESSERA_BD_FLOAT16) &&
              same(DType::BFloat16, TESSERA_BD_BFLOAT16) && same(DType::Int8, TESSERA_BD_INT8) &&
              same(DType::UInt8, TESSERA_BD_UINT8) && same(DType::Int32, TESSERA_BD_INT32) &&
              same(DType::Int64, TESSERA_BD_INT64));
static_assert(same(Profile::None, TESSERA_BD_PROFILE_NONE) && same(Profile::AnchorGridV1, TESSERA_BD_ANCHOR_GRID_V1) &&
              same(Profile::Yolo11V1, TESSERA_BD_YOLO11_V1) &&
              same(Profile::Yolo26RawLtrb, TESSERA_BD_YOLO26_RAW_LTRB) &&
              same(Profile::YoloV10V1, TESSERA_BD_YOLOV10_V1) && same(Profile::YoloV3V1, TESSERA_BD_YOLOV3_V1) &&
              same(Profile::YoloV4V1, TESSERA_BD_YOLOV4_V1) && same(Profile::YoloV5V1, TESSERA_BD_YOLOV5_V1) &&
              same(Profile::YoloV6V1, TESSERA_BD_YOLOV6_V1) && same(Profile::YoloV7TinyV1, TESSERA_BD_YOLOV7_TINY_V1) &&
              same(Profile::YoloV7V1, TESSERA_BD_YOLOV7_V1) && same(Profile::YoloV8V1, TESSERA_BD_YOLOV8_V1) &&
              same(Profile::YoloV9V1, TESSERA_BD_YOLOV9_V1) && same(Profile::YoloXV1, TESSERA_BD_YOLOX_V1));
static_assert(same(Task::Detection, TESSERA_BD_DETECTION) && same(Task::Pose, TESSERA_BD_POSE) &&
              same(Task::Segmentation, TESSERA_BD_SEGMENTATION));
static_assert(same(ScoreActivation::Identity, TESSERA_BD_IDENTITY - 1) &&
              same(ScoreActivation::Sigmoid, TESSERA_BD_SIGMOID - 1));  // 0 is "unset"
static_assert(same(BoxEncoding::CornersXyxy, TESSERA_BD_CORNERS_XYXY) &&
              same(BoxEncoding::TopLeftXywh, TESSERA_BD_TOP_LEFT_XYWH));
static_assert(same(RankRule::Product, TESSERA_BD_RANK_PRODUCT) &&
              same(RankRule::PowerHalf125, TESSERA_BD_RANK_POWER_HALF_125));
static_assert(same(Resize::Mode::Stretch, TESSERA_BD_STRETCH) && same(Resize::Mode::Letterbox, TESSERA_BD_LETTERBOX) &&
              same(Resize::Mode::Explicit, TESSERA_BD_EXPLICIT));
static_assert(same(Resize::Anchor::Center, TESSERA_BD_CENTER) && same(Resize::Anchor::TopLeft, TESSERA_BD_TOP_LEFT));
static_assert(same(Head::Kind::Combined, TESSERA_BD_HEAD_COMBINED) && same(Head::Kind::Pair, TESSERA_BD_HEAD_PAIR) &&
              same(Head::Kind::Objectness, TESSERA_BD_HEAD_OBJECTNESS));
static_assert(same(AnchorLevel::Formula::Exp, TESSERA_BD_FORMULA_EXP) &&
              same(AnchorLevel::Formula::Square, TESSERA_BD_FORMULA_SQUARE));

CProblem at(std::size_t index, std::int32_t code, const char* field, const char* wish, std::int64_t got) {
  tessera_bd_error error = c_problem(code, field, wish);
  error.index = static_cast<std::int32_t>(index);
  error.got = got;
  return error;
}

CProblem bad_enum(const char* field, std::int64_t got) {
  tessera_bd_error error = c_problem(TESSERA_BD_INVALID_ENUM, field, "use an enumerator of tessera_boxdecode.h");
  error.got = got;
  return error;
}

constexpr const char* kReserved = "zero-initialise: reserved members must be 0";

bool within(std::int32_t value, std::int32_t last) noexcept { return value >= 0 && value <= last; }

ImageSize size_of(tessera_bd_image_size size) noexcept { return {size.width, size.height}; }

Shape shape_of(const std::int64_t (&extents)[6], std::int32_t rank) noexcept {
  Shape shape;
  // A rank that is out of range stays out of range (0 or 7), for check_inference to refuse.
  for (std::int32_t axis = 0; axis < std::min(rank, Shape::kMaxRank + 1); ++axis) {
    shape.push_back(axis < Shape::kMaxRank ? extents[axis] : 1);
  }
  return shape;
}

Layout layout_of(const tessera_bd_tensor& tensor) noexcept {
  switch (tensor.layout) {
    case TESSERA_BD_STRIDED:
      return Strided{shape_of(tensor.byte_strides, tensor.rank)};
    case TESSERA_BD_MLA_C_BLOCKED:
      return MlaCBlocked{tensor.tile_h, tensor.tile_w, tensor.tile_c};
    default:
      return Contiguous{};
  }
}

CProblem convert_heads(const tessera_bd_params& params, std::vector<Head>& out) {
  if (params.head_count > 0 && params.heads == nullptr) {
    return c_problem(TESSERA_BD_NULL_ARGUMENT, "heads", "must point to head_count heads");
  }
  for (std::int32_t i = 0; i < params.head_count; ++i) {
    const tessera_bd_head& head = params.heads[i];
    const auto index = static_cast<std::size_t>(i);
    if (!within(head.kind, TESSERA_BD_HEAD_OBJECTNESS)) {
      return at(index, TESSERA_BD_INVALID_ENUM, "head kind", "use an enumerator of tessera_boxdecode.h", head.kind);
    }
    if (head.reserved != 0) return at(index, TESSERA_BD_INVALID_STRUCT, "head", kReserved, head.reserved);
    out.push_back({static_cast<Head::Kind>(head.kind), head.combined, head.box, head.score, head.objectness,
                   head.coefficients, head.keypoints});
  }
  return {};
}

CProblem convert_anchor_grid(const tessera_bd_params& params, std::vector<AnchorLevel>& out) {
  if (params.anchor_level_count > 0 && params.anchor_grid == nullptr) {
    return c_problem(TESSERA_BD_NULL_ARGUMENT, "anchor_grid", "must point to anchor_level_count levels");
  }
  for (std::int32_t i = 0; i < params.anchor_level_count; ++i) {
    const tessera_bd_anchor_level& level = params.anchor_grid[i];
    const auto index = static_cast<std::size_t>(i);
    if (!within(level.formula, TESSERA_BD_FORMULA_SQUARE)) {
      return at(index, TESSERA_BD_INVALID_ENUM, "anchor_grid formula", "use an enumerator of tessera_boxdecode.h",
                level.formula);
    }
    // Below 0 and above 16 there is nothing to read; check_inference refuses 0 itself.
    if (!within(level.anchor_count, static_cast<std::int32_t>(std::size(level.anchors)))) {
      return at(index, TESSERA_BD_INVALID_ANCHOR_GRID, "anchor_grid anchor_count", "1...16", level.anchor_count);
    }
    AnchorLevel& converted = out.emplace_back();
    converted = {static_cast<AnchorLevel::Formula>(level.formula), level.scale, level.offset, {}};
    for (std::int32_t a = 0; a < level.anchor_count; ++a) {
      converted.anchors.push_back({level.anchors[a][0], level.anchors[a][1]});
    }
  }
  return {};
}

CProblem check_enums(const tessera_bd_params& p) {
  if (!within(p.task, TESSERA_BD_SEGMENTATION)) return bad_enum("task", p.task);
  if (!within(p.score_activation, TESSERA_BD_SIGMOID)) return bad_enum("score_activation", p.score_activation);
  if (!within(p.box_encoding, TESSERA_BD_TOP_LEFT_XYWH)) return bad_enum("box_encoding", p.box_encoding);
  if (!within(p.resize, TESSERA_BD_EXPLICIT)) return bad_enum("resize", p.resize);
  if (!within(p.letterbox_anchor, TESSERA_BD_TOP_LEFT)) return bad_enum("letterbox_anchor", p.letterbox_anchor);
  if (!within(p.rank_rule, TESSERA_BD_RANK_POWER_HALF_125)) return bad_enum("rank_rule", p.rank_rule);
  return {};
}

// Members that mean the same on both sides.
void copy_members(const tessera_bd_params& p, Params& out) {
  out.task = static_cast<Task>(p.task);
  out.model_input_size = size_of(p.model_input_size);
  out.original_image_size = size_of(p.original_image_size);
  out.num_classes = p.num_classes;
  out.max_detections = p.max_detections;
  out.detection_threshold = p.detection_threshold;
  out.nms_iou_threshold = p.nms_iou_threshold;
  out.nms_class_agnostic = p.nms_class_agnostic != 0;
  out.multi_label = p.multi_label != 0;
  out.max_per_class = p.max_per_class;
  out.box_encoding = static_cast<BoxEncoding>(p.box_encoding);
  out.resize = {static_cast<Resize::Mode>(p.resize), static_cast<Resize::Anchor>(p.letterbox_anchor), size_of(p.scaled),
                p.pad_left, p.pad_top};
  out.rank_rule = static_cast<RankRule>(p.rank_rule);
  out.mosaic = {p.mosaic_rows, p.mosaic_cols};
  out.keypoint_count = p.keypoint_count;
  out.keypoint_dims = p.keypoint_dims;
  out.accept_float32 = p.accept_float32 != 0;
}

// Members that C++ may leave unset.
void copy_choices(const tessera_bd_params& p, Params& out) {
  // A number that is no profile becomes one that no family has: UnsupportedProfile, in its place in the order of
  // checks.
  out.profile = static_cast<Profile>(within(p.profile, TESSERA_BD_YOLOX_V1) ? p.profile : 255);
  if (p.basis != -1) out.basis = p.basis;
  if (p.score_activation != TESSERA_BD_ACTIVATION_UNSET) {
    out.score_activation = static_cast<ScoreActivation>(p.score_activation - 1);
  }
  if (p.candidate_limit != -1) out.candidate_limit = p.candidate_limit;
  if (p.voting != 0) out.voting = Voting{p.voting_iou};
  if (p.edge_penalty != 0) out.edge_penalty = EdgePenalty{p.edge_factor, p.edge_margin};
}

}  // namespace

tessera_bd_error c_error(const Error& error) noexcept {
  return {c_code(error.code), error.index, error.field, error.wish, error.got, error.wanted};
}

tessera_bd_error c_problem(std::int32_t code, const char* field, const char* wish) noexcept {
  return {code, -1, field, wish, TESSERA_BD_NO_VALUE, TESSERA_BD_NO_VALUE};
}

CProblem convert_tensors(std::span<const tessera_bd_tensor> tensors, const char* name, std::vector<TensorSpec>& out) {
  constexpr const char* kEnum = "use enumerators of tessera_boxdecode.h for dtype and layout";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const tessera_bd_tensor& tensor = tensors[i];
    if (!within(tensor.dtype, TESSERA_BD_INT64)) return at(i, TESSERA_BD_INVALID_ENUM, name, kEnum, tensor.dtype);
    if (!within(tensor.layout, TESSERA_BD_MLA_C_BLOCKED)) {
      return at(i, TESSERA_BD_INVALID_ENUM, name, kEnum, tensor.layout);
    }
    for (const std::int64_t reserved : tensor.reserved) {
      if (reserved != 0) return at(i, TESSERA_BD_INVALID_STRUCT, name, kReserved, reserved);
    }
    TensorSpec& spec = out.emplace_back();
    spec.shape = shape_of(tensor.shape, tensor.rank);
    spec.dtype = static_cast<DType>(tensor.dtype);
    spec.layout = layout_of(tensor);
    if (tensor.has_quant != 0) spec.quant = Quant{tensor.scale, tensor.zero_point};
  }
  return {};
}

CProblem convert_params(const tessera_bd_params& params, Params& out) {
  // One size is known so far. A library that knows more takes this one too and fills in the defaults of the rest.
  if (params.struct_size != sizeof(tessera_bd_params)) {
    tessera_bd_error error = c_problem(TESSERA_BD_INVALID_STRUCT, "params struct_size", "call tessera_bd_params_init");
    error.got = static_cast<std::int64_t>(params.struct_size);
    error.wanted = sizeof(tessera_bd_params);
    return error;
  }
  if (params.reserved != 0) return c_problem(TESSERA_BD_INVALID_STRUCT, "params", kReserved);
  if (auto found = check_enums(params)) return found;
  if (auto found = convert_heads(params, out.heads)) return found;
  if (auto found = convert_anchor_grid(params, out.anchor_grid)) return found;
  copy_members(params, out);
  copy_choices(params, out);
  return {};
}

}  // namespace tessera::boxdecode
