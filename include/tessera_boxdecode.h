/* BoxDecode for C and for everything that binds C: raw detector heads -> boxes in pixels of the original image.
 *
 *   tessera_bd_params_init -> fill in -> tessera_bd_prepare -> tessera_bd_context_create -> tessera_bd_execute ...
 *
 * Shapes, layouts, formulas and every rule: docs/boxdecode.md. Results are those of the C++ interface, bit for bit.
 *
 * Errors      Functions that can fail return a code (0 is success) and, where `error` is not NULL, fill it on failure.
 * Ownership   Plans and contexts belong to the caller until they are freed. Nothing the caller passes is kept, except
 *             the workspace, which must outlive its context. Texts are static and never freed.
 * Threads     A plan is immutable: any number of threads may use it. A context runs one execution at a time.
 * Growth      params grow at their end (struct_size); `reserved` members must be 0; numbers of codes and enumerators
 *             never change. Flags are 0 or not 0. No function throws, prints or exits. */
#ifndef TESSERA_BOXDECODE_H
#define TESSERA_BOXDECODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of these declarations; tessera_bd_version() tells that of the library. Equal numbers fit together. */
#define TESSERA_BD_VERSION 1
int32_t tessera_bd_version(void);

/* ---- Errors ---- */

enum {
  TESSERA_BD_OK = 0,
  /* this interface */
  TESSERA_BD_NULL_ARGUMENT = 1,  /* a pointer is NULL that must not be */
  TESSERA_BD_INVALID_STRUCT = 2, /* struct_size unknown, or a reserved member is not 0 */
  TESSERA_BD_INVALID_ENUM = 3,   /* a member holds no enumerator of its kind */
  TESSERA_BD_OUT_OF_MEMORY = 4,  /* prepare and create allocate; execute does not */
  /* tessera_bd_prepare, in the order in which the rules are checked */
  TESSERA_BD_INVALID_DETECTION_THRESHOLD = 100,
  TESSERA_BD_INVALID_NMS_THRESHOLD = 101,
  TESSERA_BD_INVALID_CAPACITY = 102,
  TESSERA_BD_INVALID_IMAGE_EXTENT = 103,
  TESSERA_BD_INVALID_CLASS_COUNT = 104,
  TESSERA_BD_INVALID_CANDIDATE_LIMIT = 105,
  TESSERA_BD_INVALID_PER_CLASS_LIMIT = 106,
  TESSERA_BD_INVALID_MOSAIC = 107,
  TESSERA_BD_INVALID_BOX_STEP = 108,
  TESSERA_BD_INVALID_RESIZE = 109,
  TESSERA_BD_INVALID_KEYPOINT_SHAPE = 110,
  TESSERA_BD_UNSUPPORTED_PROFILE = 111,
  TESSERA_BD_UNSUPPORTED_TASK = 112,
  TESSERA_BD_INVALID_ANCHOR_GRID = 113,
  TESSERA_BD_ACTIVATION_MISSING = 114,
  TESSERA_BD_ACTIVATION_CONFLICT = 115,
  TESSERA_BD_INVALID_HEAD_COUNT = 116,
  TESSERA_BD_HEAD_KIND_MISMATCH = 117,
  TESSERA_BD_PORT_OUT_OF_RANGE = 118,
  TESSERA_BD_PORT_DUPLICATE = 119,
  TESSERA_BD_PORT_UNMAPPED = 120,
  TESSERA_BD_INVALID_RANK = 121,
  TESSERA_BD_INVALID_LEADING_EXTENT = 122,
  TESSERA_BD_INVALID_SPATIAL_EXTENT = 123,
  TESSERA_BD_CELL_COUNT_EXCEEDED = 124,
  TESSERA_BD_UNSUPPORTED_DTYPE = 125,
  TESSERA_BD_UNSUPPORTED_LAYOUT = 126,
  TESSERA_BD_INVALID_STRIDE = 127,
  TESSERA_BD_INVALID_PHYSICAL_CHANNELS = 128,
  TESSERA_BD_INVALID_TILE = 129,
  TESSERA_BD_CHANNEL_MISMATCH = 130,
  TESSERA_BD_QUANTIZATION_MISSING = 131,
  TESSERA_BD_QUANTIZATION_UNEXPECTED = 132,
  TESSERA_BD_QUANTIZATION_INVALID = 133,
  TESSERA_BD_HEAD_DTYPE_MISMATCH = 134,
  TESSERA_BD_HEAD_GEOMETRY_MISMATCH = 135,
  TESSERA_BD_MODEL_EXTENT_NOT_ALIGNED = 136,
  TESSERA_BD_HEAD_STRIDE_MISMATCH = 137,
  TESSERA_BD_INVALID_OUTPUT_COUNT = 138,
  TESSERA_BD_INVALID_OUTPUT_DTYPE = 139,
  TESSERA_BD_INVALID_OUTPUT_SHAPE = 140,
  TESSERA_BD_INVALID_OUTPUT_LAYOUT = 141,
  TESSERA_BD_SIZE_OVERFLOW = 142,
  TESSERA_BD_UNSUPPORTED_SCANNER = 143,
  /* tessera_bd_context_create */
  TESSERA_BD_WORKSPACE_TOO_SMALL = 200,
  TESSERA_BD_WORKSPACE_MISALIGNED = 201,
  /* tessera_bd_execute */
  TESSERA_BD_CONTEXT_BUSY = 300,
  TESSERA_BD_BINDING_COUNT_MISMATCH = 301,
  TESSERA_BD_BINDING_NULL = 302,
  TESSERA_BD_BINDING_TOO_SMALL = 303,
  TESSERA_BD_BINDING_MISALIGNED = 304,
  TESSERA_BD_BINDING_OVERLAP = 305,
  TESSERA_BD_INVALID_ORIGINAL_SIZE = 306
};

#define TESSERA_BD_NO_VALUE INT64_MIN

typedef struct tessera_bd_error {
  int32_t code;
  int32_t index;     /* which input, head, output or image; -1 when there is only one of the thing */
  const char* field; /* the thing: "detection_threshold", "input channels"; static */
  const char* wish;  /* what would be accepted; static */
  int64_t got;       /* the fact, when it is one integer; otherwise TESSERA_BD_NO_VALUE */
  int64_t wanted;    /* the exact value wanted, when there is one */
} tessera_bd_error;

/* "InvalidCapacity", "Ok"; "unknown" for other numbers. */
const char* tessera_bd_code_name(int32_t code);
/* One line, as snprintf writes it: at most `size` bytes with the terminating 0, and the length of the whole line is
 * returned. buffer may be NULL when size is 0. Allocates nothing. */
size_t tessera_bd_error_message(const tessera_bd_error* error, char* buffer, size_t size);

/* ---- Tensors ---- */

enum {
  TESSERA_BD_FLOAT32 = 0,
  TESSERA_BD_FLOAT16 = 1, /* named so that it can be refused, as UINT8 inputs and INT64 are */
  TESSERA_BD_BFLOAT16 = 2,
  TESSERA_BD_INT8 = 3,
  TESSERA_BD_UINT8 = 4,
  TESSERA_BD_INT32 = 5,
  TESSERA_BD_INT64 = 6
};
enum { TESSERA_BD_CONTIGUOUS = 0, TESSERA_BD_STRIDED = 1, TESSERA_BD_MLA_C_BLOCKED = 2 };

/* What a tensor is. Inputs are H x W x C on the last three axes, earlier extents 1. Zero-initialise, then set. */
typedef struct tessera_bd_tensor {
  int32_t dtype;
  int32_t layout;
  int32_t rank;                   /* 1...6 */
  int32_t has_quant;              /* INT8 inputs: value = scale * (q - zero_point) */
  int64_t shape[6];               /* elements, outermost first */
  int64_t byte_strides[6];        /* STRIDED: bytes, one per axis */
  int64_t tile_h, tile_w, tile_c; /* MLA_C_BLOCKED: cells, cells, channels */
  float scale;
  int32_t zero_point;
  int64_t reserved[2];
} tessera_bd_tensor;

/* ---- Parameters ---- */

enum {
  TESSERA_BD_PROFILE_NONE = 0,
  TESSERA_BD_ANCHOR_GRID_V1 = 1,
  TESSERA_BD_YOLO11_V1 = 2,
  TESSERA_BD_YOLO26_RAW_LTRB = 3,
  TESSERA_BD_YOLOV10_V1 = 4,
  TESSERA_BD_YOLOV3_V1 = 5,
  TESSERA_BD_YOLOV4_V1 = 6,
  TESSERA_BD_YOLOV5_V1 = 7,
  TESSERA_BD_YOLOV6_V1 = 8,
  TESSERA_BD_YOLOV7_TINY_V1 = 9,
  TESSERA_BD_YOLOV7_V1 = 10,
  TESSERA_BD_YOLOV8_V1 = 11,
  TESSERA_BD_YOLOV9_V1 = 12,
  TESSERA_BD_YOLOX_V1 = 13
};
enum { TESSERA_BD_DETECTION = 0, TESSERA_BD_POSE = 1, TESSERA_BD_SEGMENTATION = 2 };
enum { TESSERA_BD_ACTIVATION_UNSET = 0, TESSERA_BD_IDENTITY = 1, TESSERA_BD_SIGMOID = 2 };
enum { TESSERA_BD_CORNERS_XYXY = 0, TESSERA_BD_TOP_LEFT_XYWH = 1 };
enum { TESSERA_BD_RANK_PRODUCT = 0, TESSERA_BD_RANK_POWER_HALF_125 = 1 };
enum { TESSERA_BD_STRETCH = 0, TESSERA_BD_LETTERBOX = 1, TESSERA_BD_EXPLICIT = 2 };
enum { TESSERA_BD_CENTER = 0, TESSERA_BD_TOP_LEFT = 1 };
enum { TESSERA_BD_HEAD_COMBINED = 0, TESSERA_BD_HEAD_PAIR = 1, TESSERA_BD_HEAD_OBJECTNESS = 2 };
enum { TESSERA_BD_FORMULA_EXP = 0, TESSERA_BD_FORMULA_SQUARE = 1 };

/* One feature-map level: which inputs belong to it. Ports are indices into the inputs; -1 where there is none. */
typedef struct tessera_bd_head {
  int32_t kind;
  int32_t combined;     /* COMBINED: H x W x slots * (classes + 5) */
  int32_t box, score;   /* PAIR and OBJECTNESS */
  int32_t objectness;   /* OBJECTNESS */
  int32_t coefficients; /* segmentation; otherwise -1 */
  int32_t keypoints;    /* pose; otherwise -1 */
  int32_t reserved;
} tessera_bd_head;

/* Heads with the other ports -1. */
tessera_bd_head tessera_bd_combined_head(int32_t port);
tessera_bd_head tessera_bd_pair_head(int32_t box, int32_t score);
tessera_bd_head tessera_bd_objectness_head(int32_t box, int32_t objectness, int32_t score);

/* Geometry of one head of ANCHOR_GRID_V1. */
typedef struct tessera_bd_anchor_level {
  int32_t formula;
  float scale, offset;  /* EXP: as the model has them, plain YOLOv3 1 and 0; SQUARE: 2 and 0.5 */
  int32_t anchor_count; /* 1...16 */
  float anchors[16][2]; /* width, height in model pixels */
} tessera_bd_anchor_level;

typedef struct tessera_bd_image_size {
  int32_t width, height; /* pixels, each 1...1,048,576 */
} tessera_bd_image_size;

typedef struct tessera_bd_params {
  size_t struct_size; /* set by tessera_bd_params_init */

  const tessera_bd_head* heads;               /* head_count of them, in encounter order; combined families P3, P4, P5 */
  const tessera_bd_anchor_level* anchor_grid; /* anchor_level_count of them; ANCHOR_GRID_V1 only, otherwise NULL */
  const char* scanner; /* NULL or "" picks the best this processor runs; "scalar", "avx2", "avx512", "neon" force one */
  int32_t head_count;
  int32_t anchor_level_count;

  int32_t profile;
  int32_t task;
  int32_t basis; /* port of the mask prototypes; -1 none */
  tessera_bd_image_size model_input_size, original_image_size;
  int32_t num_classes;
  int32_t score_activation;   /* UNSET: derived, where the profile derives it */
  int32_t max_detections;     /* K, rows of each output: 1...65,536 */
  float detection_threshold;  /* inclusive, [0, 1); must be set: the initial -1 is refused */
  float nms_iou_threshold;    /* [0, 1], suppressed strictly above; must be set */
  int32_t nms_class_agnostic; /* flag */
  int32_t multi_label;        /* flag */
  int32_t candidate_limit;    /* -1: none, or 30,000 with multi_label; 0: none */
  int32_t max_per_class;      /* 0: none */
  int32_t box_encoding;
  int32_t resize;
  int32_t letterbox_anchor;
  tessera_bd_image_size scaled; /* EXPLICIT: the photo after resizing */
  int32_t pad_left, pad_top;    /* EXPLICIT */
  int32_t rank_rule;
  int32_t voting; /* flag */
  float voting_iou;
  int32_t mosaic_rows, mosaic_cols;
  int32_t edge_penalty; /* flag */
  float edge_factor, edge_margin;
  int32_t keypoint_count, keypoint_dims;
  int32_t accept_float32; /* flag */
  int32_t reserved;
} tessera_bd_params;

/* Fills in the defaults of docs/boxdecode.md. struct_size: sizeof(tessera_bd_params), as the caller knows it. */
void tessera_bd_params_init(tessera_bd_params* params, size_t struct_size);

/* ---- Plan ---- */

typedef struct tessera_bd_plan tessera_bd_plan;

/* Checks everything that does not depend on data and reports the first violation in the documented order.
 * outputs: boxes {K,4} INT32 or FLOAT32, scores {K} FLOAT32, classes {K} INT32, count {1} INT32; pose: keypoints
 * {K,count,dims} FLOAT32; segmentation: masks {K,H,W} UINT8; a mosaic of N > 1 images: one more leading axis N.
 * *plan: the new plan, to be freed; NULL on failure. */
int32_t tessera_bd_prepare(const tessera_bd_tensor* inputs, size_t input_count, const tessera_bd_tensor* outputs,
                           size_t output_count, const tessera_bd_params* params, tessera_bd_plan** plan,
                           tessera_bd_error* error);
/* NULL is fine. Contexts made from the plan go on working. */
void tessera_bd_plan_free(tessera_bd_plan* plan);

/* Sizes and alignments in bytes; 0 for an index that does not exist and for NULL. */
size_t tessera_bd_input_bytes(const tessera_bd_plan* plan, size_t input);
size_t tessera_bd_input_alignment(const tessera_bd_plan* plan, size_t input);
size_t tessera_bd_output_bytes(const tessera_bd_plan* plan, size_t output);
size_t tessera_bd_output_alignment(const tessera_bd_plan* plan, size_t output);
size_t tessera_bd_workspace_bytes(const tessera_bd_plan* plan);
size_t tessera_bd_workspace_alignment(const tessera_bd_plan* plan);
size_t tessera_bd_head_count(const tessera_bd_plan* plan);
size_t tessera_bd_image_count(const tessera_bd_plan* plan);
/* "CombinedDense", "PackedStripeBF16" ...; "" for a head that does not exist. */
const char* tessera_bd_route(const tessera_bd_plan* plan, size_t head);
/* "scalar", "avx2", "avx512", "neon"; "" for NULL. */
const char* tessera_bd_scanner(const tessera_bd_plan* plan);
/* Lowest admitted raw value of a head: INT8 the byte, -128 (all) ... 128 (none); otherwise the sortable key. */
typedef struct tessera_bd_cutoffs {
  int64_t score, objectness;
} tessera_bd_cutoffs;
tessera_bd_cutoffs tessera_bd_plan_cutoffs(const tessera_bd_plan* plan, size_t head);

/* ---- Execution ---- */

typedef struct tessera_bd_context tessera_bd_context;

/* workspace: workspace_bytes at workspace_alignment of the plan, for this context alone while it lives; contents do
 * not matter. Allocates a little. *context: NULL on failure. */
int32_t tessera_bd_context_create(const tessera_bd_plan* plan, void* workspace, size_t bytes,
                                  tessera_bd_context** context, tessera_bd_error* error);
/* NULL is fine; must not be executing. */
void tessera_bd_context_free(tessera_bd_context* context);

typedef struct tessera_bd_input {
  const void* data;
  size_t bytes;
} tessera_bd_input;
typedef struct tessera_bd_output {
  void* data;
  size_t bytes;
} tessera_bd_output;

typedef struct tessera_bd_stats {
  uint64_t candidates_seen;    /* admitted, with a proper box; summed over images */
  uint64_t candidates_kept;    /* of those, left by the candidate limit */
  int32_t candidate_limit_hit; /* flag */
  int32_t reserved;
} tessera_bd_stats;

/* Decodes one set of heads. Every byte of every output is written: `count` rows, then zeros; on an error nothing is.
 * original_sizes: NULL with 0, or one per image, instead of the prepared original_image_size. stats may be NULL.
 * Allocates nothing, locks nothing, keeps nothing. */
int32_t tessera_bd_execute(tessera_bd_context* context, const tessera_bd_input* inputs, size_t input_count,
                           const tessera_bd_output* outputs, size_t output_count,
                           const tessera_bd_image_size* original_sizes, size_t original_size_count,
                           tessera_bd_stats* stats, tessera_bd_error* error);

#ifdef __cplusplus
}
#endif
#endif /* TESSERA_BOXDECODE_H */
