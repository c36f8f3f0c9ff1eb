/* BoxDecode from C: one YOLO26 head, 2 x 2 cells, 3 classes, as floats. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera_boxdecode.h>

enum { ROWS = 4 };

static int failed(const char* call, const tessera_bd_error* error) {
  char line[256];
  tessera_bd_error_message(error, line, sizeof line);
  fprintf(stderr, "%s: %s\n", call, line);
  return 1;
}

static tessera_bd_tensor tensor(int32_t dtype, int32_t rank, int64_t a, int64_t b, int64_t c) {
  tessera_bd_tensor t;
  memset(&t, 0, sizeof t);
  t.dtype = dtype;
  t.rank = rank;
  t.shape[0] = a, t.shape[1] = b, t.shape[2] = c;
  return t;
}

/* The plan's workspace_alignment is 64: as large a block as that needs, and the first aligned byte in it. */
static void* aligned(void* block) { return (char*)block + (64 - (uintptr_t)block % 64) % 64; }

int main(void) {
  /* left, top, right, bottom in cells of 16 pixels; class logits */
  static const float sides[2 * 2 * 4] = {.5f, .5f,  .5f, .5f,  .5f, .5f, .5f, .5f,
                                         .5f, 1.5f, .5f, -.5f, .5f, .5f, .5f, .5f};
  static const float logits[2 * 2 * 3] = {1, 1, -1, 0, 0, -2, 1, -1, -1, -1, -2, 3};
  const tessera_bd_tensor inputs[] = {tensor(TESSERA_BD_FLOAT32, 3, 2, 2, 4), tensor(TESSERA_BD_FLOAT32, 3, 2, 2, 3)};
  const tessera_bd_tensor outputs[] = {tensor(TESSERA_BD_INT32, 2, ROWS, 4, 0),
                                       tensor(TESSERA_BD_FLOAT32, 1, ROWS, 0, 0),
                                       tensor(TESSERA_BD_INT32, 1, ROWS, 0, 0), tensor(TESSERA_BD_INT32, 1, 1, 0, 0)};
  const tessera_bd_head head = tessera_bd_pair_head(0, 1);

  tessera_bd_params params;
  tessera_bd_params_init(&params, sizeof params);
  params.profile = TESSERA_BD_YOLO26_RAW_LTRB;
  params.heads = &head;
  params.head_count = 1;
  params.model_input_size.width = params.model_input_size.height = 32;
  params.original_image_size.width = 64;
  params.original_image_size.height = 48;
  params.num_classes = 3;
  params.score_activation = TESSERA_BD_SIGMOID;
  params.max_detections = ROWS;
  params.detection_threshold = 0.5f;
  params.nms_iou_threshold = 0.5f;
  params.accept_float32 = 1;

  tessera_bd_error error;
  tessera_bd_plan* plan;
  if (tessera_bd_prepare(inputs, 2, outputs, 4, &params, &plan, &error) != TESSERA_BD_OK)
    return failed("prepare", &error);

  const size_t workspace_bytes = tessera_bd_workspace_bytes(plan);
  void* block = malloc(workspace_bytes + 63);
  tessera_bd_context* context;
  if (block == NULL) return 1;
  if (tessera_bd_context_create(plan, aligned(block), workspace_bytes, &context, &error) != TESSERA_BD_OK) {
    return failed("create", &error);
  }

  int32_t boxes[ROWS][4], classes[ROWS], count;
  float scores[ROWS];
  const tessera_bd_input in[] = {{sides, sizeof sides}, {logits, sizeof logits}};
  const tessera_bd_output out[] = {
      {boxes, sizeof boxes}, {scores, sizeof scores}, {classes, sizeof classes}, {&count, sizeof count}};
  if (tessera_bd_execute(context, in, 2, out, 4, NULL, 0, NULL, &error) != TESSERA_BD_OK)
    return failed("execute", &error);

  for (int i = 0; i < count; ++i) {
    printf("class %d  %.7f  %d %d %d %d\n", (int)classes[i], scores[i], (int)boxes[i][0], (int)boxes[i][1],
           (int)boxes[i][2], (int)boxes[i][3]);
  }
  tessera_bd_context_free(context);
  tessera_bd_plan_free(plan);
  free(block);
  return 0;
}
